//! Long work, in line and on threads.

use super::*;

#[test]
fn on_threads_the_same_comes_out() {
    let mut session = Session::new(JobMode::Threads);
    let woken = Arc::new(AtomicUsize::new(0));
    let counter = woken.clone();
    session.set_waker(Arc::new(move || {
        counter.fetch_add(1, Ordering::SeqCst);
    }));
    session.open_generated(|id| desk::file(id, "walk.glb", &["walk", "run"])).unwrap();
    apply(&mut session, &[0, 1]).unwrap();
    session.wait();
    assert_eq!((session.document().clips().len(), session.jobs().len()), (4, 0));
    assert!(matches!(session.shown(ClipId(2)), Shown::Ready(_)));
    assert!(woken.load(Ordering::SeqCst) > 0);
    let mut inline = desk_with(&["walk", "run"]);
    apply(&mut inline, &[0, 1]).unwrap();
    assert_eq!(session.document().canonical(), inline.document().canonical());
    // A clip that goes while its job runs: the edit is refused, and said.
    session.handle(Action::Open(vec!["no/such.glb".into()])).unwrap();
    session.wait();
    let notices = session.take_notices();
    assert_eq!((notices.len(), notices[0].kind), (1, NoticeKind::Error));
}

#[test]
fn a_job_can_be_cancelled_and_one_that_panics_is_an_error() {
    let mut jobs: Jobs<Result<u32, stridesmith::ops::OpError>> = Jobs::new(JobMode::Threads);
    let endless = jobs.start("endless".into(), |progress| {
        loop {
            progress.check()?;
            std::thread::sleep(Duration::from_millis(1));
        }
    });
    let quick = jobs.start("quick".into(), |progress| {
        progress.set(1.0);
        Ok(7)
    });
    let first = jobs.wait().unwrap();
    assert_eq!((first.id, first.end), (quick, Ok(Ok(7))));
    assert_eq!(jobs.running().len(), 1);
    jobs.cancel(endless);
    let second = jobs.wait().unwrap();
    assert_eq!((second.id, second.label.as_str()), (endless, "endless"));
    assert_eq!(second.end, Ok(Err(stridesmith::ops::OpError::Cancelled)));
    jobs.start("bad".into(), |_| panic!("a planted fault"));
    assert_eq!(jobs.wait().unwrap().end, Err("a planted fault".into()));
    assert!(jobs.wait().is_none());
}

#[test]
fn a_finished_job_is_an_edit_of_todays_document() {
    let mut session = Session::new(JobMode::Threads);
    session.open_generated(|id| desk::file(id, "walk.glb", &["walk", "run"])).unwrap();
    apply(&mut session, &[0, 1]).unwrap();
    assert_eq!(session.document().clips().len(), 2, "nothing is taken in before somebody looks");
    change(&mut session, Change::Rename { clip: ClipId(0), name: "hero".into() }).unwrap();
    change(&mut session, Change::Remove { clips: vec![ClipId(1)] }).unwrap();
    session.wait();
    let names: Vec<&str> = session.document().clips().map(|clip| clip.name.as_str()).collect();
    assert_eq!(names, ["hero", "hero_Start0"], "the name of today, and what went is gone");
    let notices = session.take_notices();
    assert_eq!(notices.len(), 1);
    assert_eq!(notices[0].text, "clip number 1 is no longer on the desk");
    let made = session.document().ends()[0];
    apply(&mut session, &[made.0]).unwrap();
    change(&mut session, Change::Close { file: FileId(0) }).unwrap();
    session.wait();
    assert_eq!(session.document().clips().len(), 0);
    assert_eq!(session.take_notices()[0].kind, NoticeKind::Error);
}

#[test]
fn only_the_newest_preview_is_shown() {
    let mut session = Session::new(JobMode::Threads);
    let spec = DemoSpec::new(Gait::Walk, Family::Mixamo);
    session.open_generated(|id| demo::generate(&spec, id).unwrap().file).unwrap();
    let take = session.selection().shown().unwrap();
    for sigma in [0.2, 0.3, 0.4, 0.5] {
        session.handle(Action::Preview(Change::apply(extract(sigma), vec![take]))).unwrap();
        let shown = session.shown(session.shown_clips()[0]);
        assert!(matches!(shown, Shown::Computing(_)), "never an older setting as if it were this one");
        if sigma == 0.2 {
            session.wait();
        }
    }
    session.wait();
    let out = session.shown_clips()[0];
    let Shown::Ready(shown) = session.shown(out) else { panic!("all jobs have ended") };
    let sigma = |report: &stridesmith::ops::Report| report.figures.iter().find(|f| f.name == "sigma").unwrap().value;
    assert_eq!(sigma(shown.reports[0].as_ref().unwrap()), 0.5);
    session.handle(Action::Commit).unwrap();
    assert_eq!(session.selection().clips, [out], "ready: made at once, without another job");
    assert!(session.jobs().is_empty());
    // Committed before it is ready: made when it is.
    session.handle(Action::Preview(Change::apply(extract(0.6), vec![take]))).unwrap();
    session.handle(Action::Commit).unwrap();
    session.wait();
    assert_eq!(session.document().clips().len(), 3);
    assert!(session.take_notices().is_empty());
}

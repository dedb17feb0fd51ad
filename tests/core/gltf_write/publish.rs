use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use stridesmith::formats::WriteError;
use stridesmith::formats::proof::ProofError;
use stridesmith::formats::publish::*;
use stridesmith::ops::naming::file_safe;

fn put(path: &Path, text: &str) {
    std::io::Write::write_all(&mut fs::File::create(path).unwrap(), text.as_bytes()).unwrap();
}

/// Names and contents of a folder and below.
fn contents(folder: &Path) -> BTreeMap<String, String> {
    let mut all = BTreeMap::new();
    for entry in fs::read_dir(folder).unwrap() {
        let entry = entry.unwrap();
        let name = entry.file_name().into_string().unwrap();
        if entry.file_type().unwrap().is_dir() {
            all.extend(contents(&entry.path()).into_iter().map(|(inner, text)| (format!("{name}/{inner}"), text)));
        } else {
            all.insert(name, fs::read_to_string(entry.path()).unwrap());
        }
    }
    all
}

fn package(text: &str) -> Package {
    Package {
        main: (".gltf".into(), text.as_bytes().to_vec()),
        beside: vec![(".bin".into(), b"data".to_vec())],
        records: Some(Vec::new()),
        ..Package::default()
    }
}

fn put_out(folder: &Path, stem: &str, text: &str) -> Result<Published, WriteError> {
    publish(folder, stem, &mut |_| Ok(package(text)), &mut |_| Ok(()))
}

#[test]
fn nothing_is_overwritten_whatever_its_case() {
    let home = tempfile::tempdir().unwrap();
    let folder = home.path();
    put(&folder.join("WALK_rm.GLTF"), "theirs");
    put(&folder.join("walk_RM_01.bin"), "theirs too");
    put(&folder.join("walk_RM.fbx"), "of another kind");
    let published = put_out(folder, "walk_RM", "ours").unwrap();
    assert_eq!(published.main, folder.join("walk_RM_02.gltf"));
    assert_eq!(put_out(folder, "walk_RM", "ours again").unwrap().main, folder.join("walk_RM_03.gltf"));
    let all = contents(folder);
    assert_eq!(all["WALK_rm.GLTF"], "theirs");
    assert_eq!(all["walk_RM_01.bin"], "theirs too");
    assert_eq!(all["walk_RM_02.gltf"], "ours");
    assert_eq!(all.len(), 9, "{all:?}");
}

#[test]
fn a_name_taken_between_look_and_write_is_left_alone() {
    let home = tempfile::tempdir().unwrap();
    let folder = home.path();
    let thief = folder.join("walk.gltf");
    let mut proof = |_: &ReadBack| {
        if !thief.exists() {
            put(&thief, "someone was faster");
        }
        Ok(())
    };
    let published = publish(folder, "walk", &mut |_| Ok(package("ours")), &mut proof).unwrap();
    assert_eq!(published.main, folder.join("walk_01.gltf"));
    let all = contents(folder);
    assert_eq!(all["walk.gltf"], "someone was faster");
    assert!(!all.contains_key("walk.bin") && !all.contains_key("walk.stridesmith.json"), "{all:?}");
}

#[test]
fn a_failing_proof_leaves_nothing() {
    let home = tempfile::tempdir().unwrap();
    let mut seen = 0;
    let mut fail = |back: &ReadBack| {
        seen += 1;
        assert_eq!((back.name.as_str(), &*back.main), ("walk.gltf", &b"ours"[..]));
        use stridesmith::formats::Fetch;
        assert_eq!(&*back.fetch("walk.bin").unwrap(), b"data");
        Err(ProofError::Copy.into())
    };
    let mut make = |_: &str| {
        let mut package = package("ours");
        package.companions.push(("textures/skin.png".into(), std::sync::Arc::from(&b"png"[..])));
        Ok(package)
    };
    let error = publish(home.path(), "walk", &mut make, &mut fail).unwrap_err();
    assert!(matches!(error, WriteError::Proof(_)));
    assert_eq!((seen, fs::read_dir(home.path()).unwrap().count()), (1, 0));
}

#[test]
fn companions_are_written_once_and_never_replaced() {
    let home = tempfile::tempdir().unwrap();
    let folder = home.path();
    let mut make = |_: &str| {
        let mut package = package("ours");
        package.companions.push(("textures/skin.png".into(), std::sync::Arc::from(&b"png"[..])));
        Ok(package)
    };
    publish(folder, "walk", &mut make, &mut |_| Ok(())).unwrap();
    publish(folder, "walk", &mut make, &mut |_| Ok(())).unwrap();
    assert_eq!(contents(folder)["textures/skin.png"], "png");
    put(&folder.join("textures/skin.png"), "another picture");
    let refused = publish(folder, "walk", &mut make, &mut |_| Ok(())).unwrap_err().to_string();
    assert!(refused.contains("textures/skin.png"), "{refused}");
    assert_eq!(contents(folder)["textures/skin.png"], "another picture");
}

#[test]
fn a_missing_folder_is_named() {
    let home = tempfile::tempdir().unwrap();
    let error = put_out(&home.path().join("none"), "walk", "ours").unwrap_err();
    assert!(error.to_string().ends_with("none"), "{error}");
}

#[cfg(unix)]
#[test]
fn a_published_file_can_be_read_by_others() {
    use std::os::unix::fs::PermissionsExt;
    let home = tempfile::tempdir().unwrap();
    put(&home.path().join("plain"), "");
    let usual = fs::metadata(home.path().join("plain")).unwrap().permissions().mode();
    let published = put_out(home.path(), "walk", "ours").unwrap();
    assert_eq!(fs::metadata(published.main).unwrap().permissions().mode(), usual);
}

#[test]
fn update_replaces_what_was_written_here_and_keeps_the_old() {
    let home = tempfile::tempdir().unwrap();
    let folder = home.path();
    let first = put_out(folder, "walk", "first").unwrap();
    for (i, text) in ["second", "third"].into_iter().enumerate() {
        let before = contents(folder)["walk.gltf"].clone();
        let updated = update(&first.main, &mut |_| Ok(package(text)), &mut |_| Ok(())).unwrap();
        assert_eq!(updated.main, first.main);
        let all = contents(folder);
        assert_eq!(all["walk.gltf"], text);
        assert_eq!(all[&format!("{BACKUP_FOLDER}/walk_0{}/walk.gltf", i + 1)], before);
    }
    assert_eq!(contents(folder).len(), 9);
}

#[test]
fn update_refuses_a_file_that_is_not_ours_or_was_changed() {
    let home = tempfile::tempdir().unwrap();
    let folder = home.path();
    let mut never = |_: &str| -> Result<Package, WriteError> { panic!("must not get so far") };
    put(&folder.join("theirs.gltf"), "theirs");
    let error = update(&folder.join("theirs.gltf"), &mut never, &mut |_| Ok(())).unwrap_err();
    assert!(matches!(&error, WriteError::NotOurs { .. }) && error.to_string().contains("new name"), "{error}");
    for (name, changed) in [("a", "a.gltf"), ("b", "b.bin"), ("c", "c.stridesmith.json")] {
        let main = put_out(folder, name, "ours").unwrap().main;
        put(&folder.join(changed), "edited by hand");
        let before = contents(folder);
        let error = update(&main, &mut never, &mut |_| Ok(())).unwrap_err();
        assert!(matches!(error, WriteError::NotOurs { .. }), "{changed}: {error}");
        assert_eq!(contents(folder), before);
    }
    // Someone's own sidecar copied beside someone's own file.
    let main = put_out(folder, "d", "ours").unwrap().main;
    fs::copy(folder.join("d.stridesmith.json"), folder.join("theirs.stridesmith.json")).unwrap();
    assert!(matches!(
        update(&folder.join("theirs.gltf"), &mut never, &mut |_| Ok(())),
        Err(WriteError::NotOurs { .. })
    ));
    assert!(main.exists());
}

#[test]
fn an_update_that_fails_puts_everything_back() {
    let home = tempfile::tempdir().unwrap();
    let folder = home.path();
    let main = put_out(folder, "walk", "first").unwrap().main;
    let before = contents(folder);
    let mut fail = |_: &ReadBack| Err(ProofError::Copy.into());
    update(&main, &mut |_| Ok(package("second")), &mut fail).unwrap_err();
    assert_eq!(contents(folder), before);
    // Changed while the proof ran: found by hashing again behind the rename.
    let mut meddle = |_: &ReadBack| {
        put(&main, "saved by another program");
        Ok(())
    };
    let error = update(&main, &mut |_| Ok(package("second")), &mut meddle).unwrap_err();
    assert!(matches!(error, WriteError::NotOurs { .. }), "{error}");
    let mut meddled = before.clone();
    meddled.insert("walk.gltf".into(), "saved by another program".into());
    assert_eq!(contents(folder), meddled);
    assert!(!folder.join(BACKUP_FOLDER).exists());
}

#[test]
fn names_that_systems_refuse_are_mended() {
    for (wished, made) in [
        ("walk", "walk"),
        ("a/b\\c:d*e?f\"g<h>i|j", "a_b_c_d_e_f_g_h_i_j"),
        ("tab\there\u{7f}", "tab_here_"),
        ("ends.", "ends_"),
        ("ends ", "ends_"),
        ("CON", "_CON"),
        ("con.fix", "_con.fix"),
        ("Lpt1", "_Lpt1"),
        ("COM²", "_COM²"),
        ("COM10", "COM10"),
        ("CONSOLE", "CONSOLE"),
        ("..", "__"),
        ("", "clip"),
        ("走る", "走る"),
    ] {
        assert_eq!(file_safe(wished), made, "{wished:?}");
    }
    let long = file_safe(&"走".repeat(60));
    assert_eq!(long, "走".repeat(40));
    let home = tempfile::tempdir().unwrap();
    put_out(home.path(), &long, "one").unwrap();
    let second = put_out(home.path(), &long, "two").unwrap().main;
    let stem = second.file_stem().unwrap().to_str().unwrap().to_owned();
    assert!(stem.len() <= 120 && stem.ends_with("_01"), "{stem}");
}

#[test]
fn an_undone_update_brings_the_version_before_back() {
    let home = tempfile::tempdir().unwrap();
    let folder = home.path();
    let first = put_out(folder, "walk", "first").unwrap();
    let before = contents(folder);
    let again = |text: &'static str| update(&first.main, &mut |_| Ok(package(text)), &mut |_| Ok(())).unwrap();
    let second = again("second");
    let third = again("third");
    let early = undo(&first.main, &second.sha256, second.backup.as_deref()).unwrap_err().to_string();
    assert!(early.contains("another export"), "{early}");
    let back = undo(&first.main, &third.sha256, third.backup.as_deref()).unwrap();
    assert!(matches!(back, Undone::PutBack { .. }));
    assert_eq!(contents(folder)["walk.gltf"], "second");
    undo(&first.main, &second.sha256, second.backup.as_deref()).unwrap();
    let now = contents(folder);
    for (name, text) in &before {
        assert_eq!(&now[name], text, "{name}");
    }
    let kept: Vec<&str> =
        now.iter().filter(|(name, _)| name.ends_with("/walk.gltf")).map(|(_, text)| text.as_str()).collect();
    assert_eq!(kept.len(), 2, "nothing is deleted: {now:?}");
    assert!(kept.contains(&"second") && kept.contains(&"third"));
    // The first had none before it: out of the way, with all its files.
    let Undone::SetAside { folder: aside } = undo(&first.main, &first.sha256, None).unwrap() else {
        panic!("a new file")
    };
    assert_eq!(fs::read_to_string(aside.join("walk.gltf")).unwrap(), "first");
    assert!(contents(folder).keys().all(|name| name.starts_with(BACKUP_FOLDER)));
}

#[test]
#[expect(clippy::disallowed_methods, reason = "nothing is in the way")]
fn an_undo_on_any_doubt_moves_nothing() {
    let home = tempfile::tempdir().unwrap();
    let folder = home.path();
    let first = put_out(folder, "walk", "first").unwrap();
    let second = update(&first.main, &mut |_| Ok(package("second")), &mut |_| Ok(())).unwrap();
    let backup = second.backup.clone().unwrap();
    let refused = |why: &str| {
        let before = contents(folder);
        let error = undo(&first.main, &second.sha256, Some(&backup)).unwrap_err().to_string();
        assert!(error.starts_with("the export was not undone") && error.contains(why), "{error}");
        assert_eq!(contents(folder), before);
    };
    let changing = |path: &Path, why: &str| {
        let was = fs::read_to_string(path).unwrap();
        put(path, "painted over");
        refused(why);
        put(path, &was);
    };
    changing(&first.main, "changed since it was written");
    changing(&folder.join("walk.bin"), "changed since it was written");
    changing(&folder.join("walk.stridesmith.json"), "does not speak of it");
    changing(&backup.join("walk.gltf"), "the previous version");
    let moved = folder.join("elsewhere");
    fs::rename(&first.main, &moved).unwrap();
    refused("no longer there");
    fs::rename(&moved, &first.main).unwrap();
    undo(&first.main, &second.sha256, Some(&backup)).unwrap();
    assert_eq!(contents(folder)["walk.gltf"], "first");
}

//! The binary. Temporary entry: `stridesmith dump FILE OUT.json [FPS]`.
fn main() -> anyhow::Result<()> {
    let args: Vec<String> = std::env::args().collect();
    let options = stridesmith::formats::ReadOptions::default();
    let file = stridesmith::formats::open(stridesmith::motion::FileId(0), args[2].as_ref(), &options)?;
    for warning in &file.warnings {
        eprintln!("warning: {warning}");
    }
    let rate = args.get(4).and_then(|fps| fps.parse().ok()).and_then(stridesmith::motion::FrameRate::new);
    let mut out = std::io::BufWriter::new(std::fs::File::create(&args[3])?);
    stridesmith::formats::dump::write(&mut out, &file.skeleton, &file.clips, rate)?;
    Ok(())
}

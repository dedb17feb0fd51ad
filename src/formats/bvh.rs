//! stub
use super::*;
/// stub
pub fn read(_id: FileId, path: &Path, _bytes: Arc<[u8]>, _options: &ReadOptions) -> Result<SourceFile, ReadError> {
    Err(ReadError::UnknownFormat { file: path.display().to_string(), reason: "not yet".into() })
}

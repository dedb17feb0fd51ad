//! Typed views of the file's numbers (glTF 2.0 §3.6.2): every offset, stride and count is checked before it is used.

use std::sync::Arc;

use gltf::json::accessor::{Accessor, ComponentType};
use gltf::json::validation::Checked;
use gltf::json::{Index, buffer};

use super::Document;

/// Why an accessor cannot be read: a sentence that goes on after "because", and the place.
#[derive(Clone, Debug)]
pub(super) struct Fault {
    pub(super) place: String,
    pub(super) reason: String,
    /// Its bytes are not at hand at all.
    pub(super) missing: bool,
}

impl Fault {
    fn new(place: String, reason: &str) -> Self {
        Self { place, reason: reason.to_owned(), missing: false }
    }
}

/// The elements of one accessor, where they lie.
pub(super) struct View<'d> {
    /// From the first byte of the first element; `None`: all zeros.
    base: Option<&'d [u8]>,
    stride: usize,
    pub(super) count: usize,
    /// Numbers per element.
    pub(super) width: usize,
    component: ComponentType,
    normalized: bool,
    sparse: Option<Sparse<'d>>,
}

/// Elements that replace those of the base, §3.6.2.3.
struct Sparse<'d> {
    count: usize,
    indices: &'d [u8],
    index_type: ComponentType,
    values: &'d [u8],
}

impl<'d> View<'d> {
    /// The elements of accessor `index`.
    pub(super) fn new(document: &'d Document<'_>, index: usize) -> Result<Self, Fault> {
        let place = || format!("accessors[{index}]");
        let fault = |reason: &str| Fault::new(place(), reason);
        let accessor = document.root.accessors.get(index).ok_or_else(|| fault("there is no such accessor"))?;
        let (Checked::Valid(component), Checked::Valid(kind)) = (accessor.component_type, accessor.type_) else {
            return Err(fault("its component type or type is not one of glTF's"));
        };
        let (component, width) = (component.0, kind.multiplicity());
        let count = usize::try_from(accessor.count.0).map_err(|_| fault("its count is out of all bounds"))?;
        let size = component.size() * width;
        // What is read becomes four bytes per number, wherever it comes from.
        if !document.allow((count as u64).saturating_mul(4 * width as u64)) {
            return Err(fault("it asks for more memory than one file may take"));
        }
        let base = match accessor.buffer_view {
            Some(view) => Some(elements(document, view, accessor, count, size)?),
            None => None,
        };
        let (base, stride) = base.map_or((None, size), |(bytes, stride)| (Some(bytes), stride));
        let sparse = sparse(document, accessor, index, count, size)?;
        Ok(Self { base, stride, count, width, component, normalized: accessor.normalized, sparse })
    }

    /// Whether there are no bytes behind it: the accessors of Draco meshes are like that.
    pub(super) fn is_empty_shell(&self) -> bool {
        self.base.is_none() && self.sparse.is_none()
    }

    /// The elements as they lie in the file, when they are `f32` without gaps.
    pub(super) fn tight_f32(&self) -> Option<&'d [u8]> {
        let tight = self.component == ComponentType::F32 && self.stride == 4 * self.width && self.sparse.is_none();
        let base = self.base?;
        tight.then(|| &base[..self.count * self.stride])
    }

    /// All numbers, element after element: one copy from the file's bytes.
    pub(super) fn floats(&self) -> Arc<[f32]> {
        match self.tight_f32() {
            Some(bytes) => bytes.as_chunks::<4>().0.iter().map(|four| f32::from_le_bytes(*four)).collect(),
            None => {
                let mut numbers = vec![0.0; self.count * self.width];
                self.each(|element, k, bytes| numbers[element * self.width + k] = self.float(bytes));
                numbers.into()
            }
        }
    }

    /// Elements of `N` numbers; `None` when the accessor has fewer.
    pub(super) fn vectors<const N: usize>(&self) -> Option<Vec<[f32; N]>> {
        if self.width < N {
            return None;
        }
        let mut vectors = vec![[0.0; N]; self.count];
        if let (ComponentType::F32, Some(base), None) = (self.component, self.base, &self.sparse) {
            for (vector, bytes) in vectors.iter_mut().zip(base.chunks(self.stride)) {
                for (number, four) in vector.iter_mut().zip(bytes.as_chunks::<4>().0) {
                    *number = f32::from_le_bytes(*four);
                }
            }
            return Some(vectors);
        }
        self.each(|element, k, bytes| {
            if k < N {
                vectors[element][k] = self.float(bytes);
            }
        });
        Some(vectors)
    }

    /// All numbers as unsigned integers; `None` when they are not.
    pub(super) fn integers(&self) -> Option<Vec<u32>> {
        if !matches!(self.component, ComponentType::U8 | ComponentType::U16 | ComponentType::U32) {
            return None;
        }
        let mut numbers = vec![0; self.count * self.width];
        self.each(|element, k, bytes| numbers[element * self.width + k] = unsigned(self.component, bytes));
        Some(numbers)
    }

    /// Calls `put(element, which number, its bytes)` for the base, then for what the sparse part replaces.
    fn each(&self, mut put: impl FnMut(usize, usize, &[u8])) {
        let part = self.component.size();
        let size = part * self.width;
        if let Some(base) = self.base {
            for (element, bytes) in base.chunks(self.stride).take(self.count).enumerate() {
                for (k, number) in bytes[..size].chunks_exact(part).enumerate() {
                    put(element, k, number);
                }
            }
        }
        let Some(sparse) = &self.sparse else { return };
        let targets = sparse.indices.chunks_exact(sparse.index_type.size());
        for (target, bytes) in targets.zip(sparse.values.chunks_exact(size)).take(sparse.count) {
            let element = unsigned(sparse.index_type, target) as usize;
            if element < self.count {
                for (k, number) in bytes.chunks_exact(part).enumerate() {
                    put(element, k, number);
                }
            }
        }
    }

    /// §3.6.2.2 and §3.11: how integers stand for fractions.
    fn float(&self, bytes: &[u8]) -> f32 {
        let divisor = match (self.component, bytes) {
            (ComponentType::F32, &[a, b, c, d]) => return f32::from_le_bytes([a, b, c, d]),
            (ComponentType::I8, _) => 127.0,
            (ComponentType::U8, _) => 255.0,
            (ComponentType::I16, _) => 32767.0,
            (ComponentType::U16, _) => 65535.0,
            (ComponentType::U32 | ComponentType::F32, _) => f64::from(u32::MAX),
        };
        let whole = match (self.component, bytes) {
            (ComponentType::I8, &[a]) => f64::from(a.cast_signed()),
            (ComponentType::I16, &[a, b]) => f64::from(i16::from_le_bytes([a, b])),
            _ => f64::from(unsigned(self.component, bytes)),
        };
        // −128 and −32768 stand for −1 as well.
        if self.normalized { (whole / divisor).max(-1.0) as f32 } else { whole as f32 }
    }
}

fn unsigned(component: ComponentType, bytes: &[u8]) -> u32 {
    match (component, bytes) {
        (ComponentType::U8, &[a]) => a.into(),
        (ComponentType::U16, &[a, b]) => u16::from_le_bytes([a, b]).into(),
        (ComponentType::U32, &[a, b, c, d]) => u32::from_le_bytes([a, b, c, d]),
        _ => 0,
    }
}

/// The bytes of an accessor in its buffer view from its first element on, and the distance of elements.
fn elements<'d>(
    document: &'d Document<'_>,
    view: Index<buffer::View>,
    accessor: &Accessor,
    count: usize,
    size: usize,
) -> Result<(&'d [u8], usize), Fault> {
    let bytes = view_bytes(document, view)?;
    let fault = |reason: &str| Fault::new(format!("bufferViews[{}]", view.value()), reason);
    let stride = document.root.get(view).and_then(|view| view.byte_stride).map_or(0, |stride| stride.0);
    let stride = if stride == 0 { size } else { stride };
    if stride < size {
        return Err(fault("its elements overlap"));
    }
    let outside = || fault("an accessor reaches beyond it");
    let start = accessor.byte_offset.map_or(0, |offset| offset.0);
    let bytes = usize::try_from(start).ok().and_then(|start| bytes.get(start..)).ok_or_else(outside)?;
    let needed = match count.checked_sub(1) {
        Some(gaps) => gaps.checked_mul(stride).and_then(|gaps| gaps.checked_add(size)),
        None => Some(0),
    };
    if needed.is_none_or(|needed| needed > bytes.len()) {
        return Err(outside());
    }
    Ok((bytes, stride))
}

/// The bytes of a buffer view.
pub(super) fn view_bytes<'d>(document: &'d Document<'_>, index: Index<buffer::View>) -> Result<&'d [u8], Fault> {
    let fault = |reason: &str| Fault::new(format!("bufferViews[{}]", index.value()), reason);
    let view = document.root.get(index).ok_or_else(|| fault("there is no such buffer view"))?;
    let place = || format!("buffers[{}]", view.buffer.value());
    let buffer =
        document.buffers.get(view.buffer.value()).ok_or_else(|| Fault::new(place(), "there is no such buffer"))?;
    let bytes = buffer.bytes().map_err(|why| {
        let compressed = ["EXT_meshopt_compression", "KHR_meshopt_compression"];
        let reason = match compressed.into_iter().find(|name| document.uses(name)) {
            Some(name) => format!("it is compressed with {name}, which is not read here"),
            None => why.to_owned(),
        };
        Fault { place: place(), reason, missing: true }
    })?;
    let start = view.byte_offset.map_or(0, |offset| offset.0);
    let end = start.checked_add(view.byte_length.0).and_then(|end| usize::try_from(end).ok());
    end.and_then(|end| bytes.get(start as usize..end)).ok_or_else(|| fault("it reaches beyond its buffer"))
}

fn sparse<'d>(
    document: &'d Document<'_>,
    accessor: &Accessor,
    index: usize,
    count: usize,
    size: usize,
) -> Result<Option<Sparse<'d>>, Fault> {
    let Some(json) = &accessor.sparse else { return Ok(None) };
    let fault = |reason: &str| Fault::new(format!("accessors[{index}].sparse"), reason);
    let Checked::Valid(index_type) = json.indices.component_type else {
        return Err(fault("its index type is not one of glTF's"));
    };
    let replaced = usize::try_from(json.count.0).ok().filter(|replaced| *replaced <= count);
    let replaced = replaced.ok_or_else(|| fault("it replaces more elements than there are"))?;
    let part = |view, offset: u64, each: usize| {
        let bytes = view_bytes(document, view)?;
        let bytes = usize::try_from(offset).ok().and_then(|start| bytes.get(start..));
        let needed = replaced.checked_mul(each);
        bytes
            .zip(needed)
            .and_then(|(bytes, needed)| bytes.get(..needed))
            .ok_or_else(|| fault("it reaches beyond its buffer view"))
    };
    Ok(Some(Sparse {
        count: replaced,
        indices: part(json.indices.buffer_view, json.indices.byte_offset.0, index_type.0.size())?,
        index_type: index_type.0,
        values: part(json.values.buffer_view, json.values.byte_offset.0, size)?,
    }))
}

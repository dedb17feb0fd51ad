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
        if let Some(bytes) = self.tight_f32() {
            return bytes.as_chunks::<4>().0.iter().map(|four| f32::from_le_bytes(*four)).collect();
        }
        let mut numbers = vec![0.0; self.count * self.width];
        self.fill_floats(&mut numbers);
        numbers.into()
    }

    /// Elements of `N` numbers; `None` when the accessor's are others.
    pub(super) fn vectors<const N: usize>(&self) -> Option<Vec<[f32; N]>> {
        if self.width != N {
            return None;
        }
        if let Some(bytes) = self.tight_f32() {
            let elements = bytes.as_chunks::<4>().0.as_chunks::<N>().0;
            return Some(elements.iter().map(|element| element.map(f32::from_le_bytes)).collect());
        }
        let mut vectors = vec![[0.0; N]; self.count];
        self.fill_floats(vectors.as_flattened_mut());
        Some(vectors)
    }

    /// All numbers as unsigned integers; `None` when they are not.
    pub(super) fn integers(&self) -> Option<Vec<u32>> {
        match self.component {
            ComponentType::U8 => Some(self.collect(|[a]: [u8; 1]| a.into())),
            ComponentType::U16 => Some(self.collect(|two| u16::from_le_bytes(two).into())),
            ComponentType::U32 => Some(self.collect(u32::from_le_bytes)),
            ComponentType::I8 | ComponentType::I16 | ComponentType::F32 => None,
        }
    }

    /// Elements of four unsigned integers, those beyond `u16` as its largest; `None` when the accessor's are others.
    pub(super) fn fours(&self) -> Option<Vec<[u16; 4]>> {
        if self.width != 4 {
            return None;
        }
        let mut fours = vec![[0; 4]; self.count];
        let numbers = fours.as_flattened_mut();
        match self.component {
            ComponentType::U8 => self.fill(numbers, |[a]: [u8; 1]| a.into()),
            ComponentType::U16 => self.fill(numbers, u16::from_le_bytes),
            ComponentType::U32 => self.fill(numbers, |four| u32::from_le_bytes(four).try_into().unwrap_or(u16::MAX)),
            ComponentType::I8 | ComponentType::I16 | ComponentType::F32 => return None,
        }
        Some(fours)
    }

    /// §3.11 says how normalised integers stand for fractions: −128 and −32768 stand for −1 as well.
    fn fill_floats(&self, numbers: &mut [f32]) {
        let one = |most: f32| if self.normalized { most } else { 1.0 };
        let low = if self.normalized { -1.0 } else { f32::NEG_INFINITY };
        let (i8s, u8s, i16s, u16s) = (one(127.0), one(255.0), one(32767.0), one(65535.0));
        match self.component {
            ComponentType::F32 => self.fill(numbers, f32::from_le_bytes),
            ComponentType::I8 => self.fill(numbers, |[a]: [u8; 1]| (f32::from(a.cast_signed()) / i8s).max(low)),
            ComponentType::U8 => self.fill(numbers, |[a]: [u8; 1]| f32::from(a) / u8s),
            ComponentType::I16 => self.fill(numbers, |two| (f32::from(i16::from_le_bytes(two)) / i16s).max(low)),
            ComponentType::U16 => self.fill(numbers, |two| f32::from(u16::from_le_bytes(two)) / u16s),
            ComponentType::U32 => self.fill(numbers, |four| u32::from_le_bytes(four) as f32 / one(u32::MAX as f32)),
        }
    }

    /// All numbers, `P` bytes each.
    fn collect<T: Clone + Default, const P: usize>(&self, number: impl Fn([u8; P]) -> T) -> Vec<T> {
        let n = self.count * self.width;
        match self.base {
            Some(base) if self.stride == P * self.width && self.sparse.is_none() => {
                base.as_chunks::<P>().0.iter().take(n).map(|bytes| number(*bytes)).collect()
            }
            _ => {
                let mut numbers = vec![T::default(); n];
                self.fill(&mut numbers, number);
                numbers
            }
        }
    }

    /// Puts the numbers of the base, `P` bytes each, then those that the sparse part replaces.
    fn fill<T, const P: usize>(&self, numbers: &mut [T], number: impl Fn([u8; P]) -> T) {
        let size = P * self.width;
        let put = |slots: &mut [T], bytes: &[u8]| {
            for (slot, bytes) in slots.iter_mut().zip(bytes.as_chunks::<P>().0) {
                *slot = number(*bytes);
            }
        };
        match self.base {
            Some(base) if self.stride == size => put(numbers, base),
            Some(base) => {
                for (element, bytes) in numbers.chunks_exact_mut(self.width).zip(base.chunks(self.stride)) {
                    put(element, bytes);
                }
            }
            None => {}
        }
        let Some(sparse) = &self.sparse else { return };
        let targets = sparse.indices.chunks_exact(sparse.index_type.size());
        for (target, bytes) in targets.zip(sparse.values.chunks_exact(size)).take(sparse.count) {
            let at = (unsigned(sparse.index_type, target) as usize).checked_mul(self.width);
            if let Some(element) = at.and_then(|at| numbers.get_mut(at..)?.get_mut(..self.width)) {
                put(element, bytes);
            }
        }
    }
}

/// An index of a sparse accessor.
fn unsigned(component: ComponentType, bytes: &[u8]) -> u32 {
    match (component, bytes) {
        (ComponentType::U8, &[a]) => a.into(),
        (ComponentType::U16, &[a, b]) => u16::from_le_bytes([a, b]).into(),
        (ComponentType::U32, &[a, b, c, d]) => u32::from_le_bytes([a, b, c, d]),
        // The specification allows no other type; an index that no accessor has leaves everything as it is.
        _ => u32::MAX,
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

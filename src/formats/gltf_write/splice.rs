//! Edits to a JSON text by place: what is not edited keeps its bytes, white space and order of members included.
//!
//! Values are found as slices of the text itself, so an edit is a range and its replacement.

use std::fmt;
use std::ops::Range;

use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;

/// One member of an object.
pub struct Member<'t> {
    /// Unescaped.
    pub key: String,
    /// As it stands in the text, quotes included.
    pub key_text: &'t str,
    /// As it stands in the text.
    pub value: &'t str,
}

/// Members of an object, in the order of the text.
pub struct Members<'t> {
    text: &'t str,
    list: Vec<Member<'t>>,
}

impl<'t> Members<'t> {
    /// Splits an object; only this level is looked at.
    pub fn parse(text: &'t str) -> Result<Self, serde_json::Error> {
        let Listed(list) = serde_json::from_str(text)?;
        Ok(Self { text, list })
    }

    /// The value of a key; of a repeated one the last, which is what most readers take.
    pub fn get(&self, key: &str) -> Option<&'t str> {
        self.position(key).map(|i| self.list[i].value)
    }

    /// The value of a key as an index.
    pub fn index(&self, key: &str) -> Option<u32> {
        index(self.get(key)?)
    }

    /// The value of a key as a text.
    pub fn text(&self, key: &str) -> Option<String> {
        serde_json::from_str(self.get(key)?).ok()
    }

    /// The value of a key as an object.
    pub fn object(&self, key: &str) -> Option<Self> {
        Self::parse(self.get(key)?).ok()
    }

    fn position(&self, key: &str) -> Option<usize> {
        self.list.iter().rposition(|member| member.key == key)
    }
}

struct Listed<'t>(Vec<Member<'t>>);

impl<'de> Deserialize<'de> for Listed<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct InOrder;
        impl<'de> Visitor<'de> for InOrder {
            type Value = Listed<'de>;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }
            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                let mut list = Vec::new();
                while let Some((key, value)) = map.next_entry::<&'de RawValue, &'de RawValue>()? {
                    let key_text = key.get();
                    let key = serde_json::from_str(key_text).map_err(serde::de::Error::custom)?;
                    list.push(Member { key, key_text, value: value.get() });
                }
                Ok(Listed(list))
            }
        }
        deserializer.deserialize_map(InOrder)
    }
}

/// Elements of an array, each as it stands in the text.
pub fn elements(text: &str) -> Result<Vec<&str>, serde_json::Error> {
    Ok(serde_json::from_str::<Vec<&RawValue>>(text)?.into_iter().map(RawValue::get).collect())
}

/// A whole number; some writers say `12.0`.
pub fn index(text: &str) -> Option<u32> {
    let whole = |v: &f64| v.fract() == 0.0 && (0.0..=f64::from(u32::MAX)).contains(v);
    text.parse().ok().or_else(|| text.parse::<f64>().ok().filter(whole).map(|v| v as u32))
}

/// A text as a JSON string, quotes included.
pub fn string(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

/// A text and the edits to it. Edits must not overlap; several insertions at one place keep their order.
pub struct Splice<'t> {
    text: &'t str,
    edits: Vec<(Range<usize>, String)>,
}

impl<'t> Splice<'t> {
    /// No edits yet.
    pub fn new(text: &'t str) -> Self {
        Self { text, edits: Vec::new() }
    }

    /// Puts `with` in the place of `part`, a slice of the text.
    pub fn replace(&mut self, part: &'t str, with: String) {
        let start = self.place(part);
        self.edits.push((start..start + part.len(), with));
    }

    /// Adds elements at the end of `array`, a slice of the text.
    pub fn append(&mut self, array: &'t str, items: &[String]) -> Result<(), serde_json::Error> {
        let last = elements(array)?.last().copied();
        for item in items {
            self.insert_last(array, last, item.clone());
        }
        Ok(())
    }

    /// Replaces the value of a key, or adds the key at the end.
    pub fn set(&mut self, object: &Members<'t>, key: &str, value: String) {
        match object.get(key) {
            Some(old) => self.replace(old, value),
            None => self.add(object, key, &value),
        }
    }

    /// Adds elements to the array of a key, which is made when there is none.
    pub fn append_to(&mut self, object: &Members<'t>, key: &str, items: &[String]) -> Result<(), serde_json::Error> {
        match object.get(key) {
            _ if items.is_empty() => Ok(()),
            Some(array) => self.append(array, items),
            None => {
                self.add(object, key, &format!("[{}]", items.join(",")));
                Ok(())
            }
        }
    }

    /// Replaces a whole member, key and value, by others, given as they shall stand in the text.
    pub fn replace_member(&mut self, object: &Members<'t>, key: &str, with: String) {
        if let Some(i) = object.position(key) {
            let member = &object.list[i];
            let range = self.place(member.key_text)..self.place(member.value) + member.value.len();
            self.edits.push((range, with));
        }
    }

    /// Takes a member out, with the comma that is then too many.
    pub fn remove(&mut self, object: &Members<'t>, key: &str) {
        let Some(i) = object.position(key) else { return };
        let member = &object.list[i];
        let end = self.place(member.value) + member.value.len();
        let range = if let Some(next) = object.list.get(i + 1) {
            self.place(member.key_text)..self.place(next.key_text)
        } else if let Some(before) = i.checked_sub(1).map(|before| &object.list[before]) {
            self.place(before.value) + before.value.len()..end
        } else {
            self.place(member.key_text)..end
        };
        self.edits.push((range, String::new()));
    }

    /// The text with all edits.
    pub fn finish(mut self) -> String {
        self.edits.sort_by_key(|(range, _)| (range.start, range.end));
        let added: usize = self.edits.iter().map(|(_, with)| with.len()).sum();
        let mut out = String::with_capacity(self.text.len() + added);
        let mut at = 0;
        for (range, with) in &self.edits {
            debug_assert!(range.start >= at, "two edits overlap");
            out.push_str(&self.text[at..range.start.max(at)]);
            out.push_str(with);
            at = range.end.max(at);
        }
        out.push_str(&self.text[at..]);
        out
    }

    fn add(&mut self, object: &Members<'t>, key: &str, value: &str) {
        let last = object.list.last().map(|member| member.value);
        self.insert_last(object.text, last, format!("{}:{value}", string(key)));
    }

    fn insert_last(&mut self, container: &'t str, last: Option<&'t str>, item: String) {
        // An empty container has only its bracket to stand behind.
        let place = last.map_or_else(|| self.place(container) + 1, |last| self.place(last) + last.len());
        let first = last.is_none() && !self.edits.iter().any(|(range, _)| *range == (place..place));
        self.edits.push((place..place, if first { item } else { format!(",{item}") }));
    }

    fn place(&self, part: &'t str) -> usize {
        let place = (part.as_ptr() as usize).wrapping_sub(self.text.as_ptr() as usize);
        debug_assert!(place <= self.text.len(), "not a slice of this text");
        place
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn untouched_text_keeps_its_bytes() {
        let text = "{ \"a\\u0062\" : [ 1 , 2.50e0 ],\r\n\t\"c\":{} , \"d\" : [ ] }";
        let top = Members::parse(text).unwrap();
        assert_eq!(top.get("ab"), Some("[ 1 , 2.50e0 ]"));
        let mut splice = Splice::new(text);
        splice.append_to(&top, "ab", &["3".into(), "4".into()]).unwrap();
        splice.append_to(&top, "d", &["5".into(), "6".into()]).unwrap();
        let inner = Members::parse(top.get("c").unwrap()).unwrap();
        splice.set(&inner, "x", "1".into());
        splice.set(&inner, "y", "2".into());
        splice.append_to(&top, "e", &["7".into()]).unwrap();
        assert_eq!(
            splice.finish(),
            "{ \"a\\u0062\" : [ 1 , 2.50e0,3,4 ],\r\n\t\"c\":{\"x\":1,\"y\":2} , \"d\" : [5,6 ],\"e\":[7] }"
        );
    }

    #[test]
    fn a_removed_member_takes_one_comma() {
        let text = "{\"a\":1, \"b\":2 ,\"c\":3}";
        for (key, left) in [("a", "{\"b\":2 ,\"c\":3}"), ("b", "{\"a\":1, \"c\":3}"), ("c", "{\"a\":1, \"b\":2}")] {
            let mut splice = Splice::new(text);
            splice.remove(&Members::parse(text).unwrap(), key);
            assert_eq!(splice.finish(), left);
        }
        let alone = "{ \"a\":1 }";
        let mut splice = Splice::new(alone);
        splice.remove(&Members::parse(alone).unwrap(), "a");
        assert_eq!(splice.finish(), "{  }");
    }
}

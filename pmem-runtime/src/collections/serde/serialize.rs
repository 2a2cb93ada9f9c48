//! Writing collections, as the standard library's twins are written.

use serde::ser::{Serialize, Serializer};

use crate::collections::{Bytes, Map, OrdMap, OrdSet, PriorityQueue, Queue, Set, Stack, Text, Vector};
use crate::persist::{P, Persistent};

impl<T: Serialize> Serialize for P<'_, T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        (**self).serialize(serializer)
    }
}

/// Implements `Serialize` for collections that are sequences to serde.
macro_rules! serialize_sequences {
    ($($collection:ident)*) => {$(
        impl<T: Serialize + Persistent> Serialize for $collection<'_, T> {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_seq(self)
            }
        }
    )*};
}

serialize_sequences!(Vector Queue Stack Set OrdSet PriorityQueue);

impl<K: Serialize + Persistent, V: Serialize + Persistent> Serialize for Map<'_, K, V> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self)
    }
}

impl<K: Serialize + Persistent, V: Serialize + Persistent> Serialize for OrdMap<'_, K, V> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self)
    }
}

impl Serialize for Text<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.as_str() {
            Some(text) => serializer.serialize_str(text),
            None => serializer.collect_str(self),
        }
    }
}

impl Serialize for Bytes<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.as_slice() {
            Some(bytes) => serializer.serialize_bytes(bytes),
            None => serializer.serialize_bytes(&self.to_vec()),
        }
    }
}

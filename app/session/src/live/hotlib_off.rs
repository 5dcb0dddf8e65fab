//! Stands in for the live library in a build without the feature `reload`.

use std::sync::Arc;

use weft_core::clock::Instant;

use super::Refusal;
use weft_core::project::Project;
use weft_engine::generation::Generation;

pub enum HotLib {}

impl HotLib {
    pub fn new(_: &Project) -> Result<Self, String> {
        Err("this program was built without the feature `reload`: code is not reloaded".into())
    }

    pub fn running(&self) -> Option<&Arc<Vec<u8>>> {
        match *self {}
    }

    pub fn adopt(&mut self, _: Vec<u8>, _: u32, _: u32) -> Result<Arc<Generation>, Refusal> {
        match *self {}
    }

    pub fn offer(&mut self, _: Vec<u8>) -> Result<Option<Instant>, Refusal> {
        match *self {}
    }

    pub fn update(&mut self) -> Option<Result<Arc<Generation>, Refusal>> {
        match *self {}
    }

    pub fn loaded(&self) -> u32 {
        match *self {}
    }

    pub fn mapped(&self) -> u64 {
        match *self {}
    }
}

//! Tables of coarse nodes (`coarse.rs`): what binds them, and who follows them.

use sim_api::columns;

columns! {
    pub struct Coarse in coarse: model {
    }
}

columns! {
    pub struct CoarseNode in coarse_node: model {
        /// Its position before the coarse constraints [m], then its move by them [m]; w is 0.
        scratch moved: [f32; 4],
    }
}

columns! {
    pub struct Follower in follower: model {
    }
}

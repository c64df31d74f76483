//! Parts of the library that its own tests and benchmarks use. They are not part of the interface:
//! any version may change them.
#![allow(missing_docs)]

pub mod audit {
    pub use crate::audit::*;
}
pub mod draw {
    pub use crate::draw::edges::*;
    pub use crate::draw::heat::*;
    pub use crate::draw::markup::*;
}
pub mod engine {
    pub use crate::engine::*;
}
pub mod estimate {
    pub use crate::estimate::*;
}
pub mod frontier {
    pub use crate::frontier::*;
}
pub mod list {
    pub use crate::list::file::*;
}
pub mod plain {
    pub use crate::plain::*;
}
pub mod rounds {
    pub use crate::rounds::*;
}
pub mod run {
    pub use crate::run::*;
}
pub mod solve {
    pub use crate::solve::solver::*;
}
pub mod starts {
    pub use crate::starts::*;
}
pub mod stats {
    pub use crate::stats::*;
}
pub mod units {
    pub use crate::units::fingerprint::fingerprint;
    pub use crate::units::history::*;
    pub use crate::units::merge::*;
}
pub mod walk {
    pub use crate::walk::*;
}
pub mod work {
    pub use crate::work::*;
}

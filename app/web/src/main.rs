//! Weft in a browser page. `weft web` builds it; `page/` is what is around it.

#[cfg(target_arch = "wasm32")]
fn main() {
    weft_window::app::start();
}

#[cfg(not(target_arch = "wasm32"))]
fn main() {
    eprintln!("this is a part of the browser page: `weft web` builds it");
}

//! Screenshots.
fn main(){}

//! The client side of the codec.

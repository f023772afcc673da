//! The models that the person's own server has, once its connection was tested: two rooms suggest them.

use leptos::prelude::*;

/// Their names. A handle: copies are the same.
#[derive(Clone, Copy)]
pub struct OwnModels(pub RwSignal<Vec<String>>);

impl OwnModels {
    /// None are known yet, in what lies below.
    pub fn provide() {
        provide_context(Self(RwSignal::new(Vec::new())));
    }

    /// Those of this dialog.
    ///
    /// # Panics
    /// Outside the dialog, which provides them.
    #[must_use]
    pub fn get() -> Self {
        expect_context()
    }
}

/// What a field for a model's name suggests: its `list` is `own-models`.
#[component]
pub fn OwnModelsList() -> impl IntoView {
    let OwnModels(models) = OwnModels::get();
    view! {
        <datalist id="own-models" data-testid="own-models">
            {move || models.get().into_iter().map(|model| view! { <option value=model></option> }).collect_view()}
        </datalist>
    }
}

//! What the page is told when something is wrong: sentences, each at its field.

use axum::{
    Json,
    extract::{FromRequest, FromRequestParts, Query, Request, rejection::JsonRejection},
    http::{StatusCode, request::Parts},
    response::{IntoResponse, Response},
};
use serde::{Serialize, de::DeserializeOwned};

/// An answer that says what is wrong.
#[derive(Debug)]
pub(super) struct Refusal {
    status: StatusCode,
    mistakes: Vec<FieldMistake>,
}

/// One thing that is wrong.
#[derive(Debug, Serialize)]
pub(super) struct FieldMistake {
    /// As the request names it, `agents.0.params.depth`; empty where no field is to blame.
    pub(super) field: String,
    pub(super) message: String,
}

#[derive(Serialize)]
struct Body<'r> {
    mistakes: &'r [FieldMistake],
}

impl Refusal {
    pub(super) fn new(status: StatusCode, message: impl Into<String>) -> Self {
        Self::at_fields(
            status,
            vec![FieldMistake {
                field: String::new(),
                message: message.into(),
            }],
        )
    }

    /// The request is understood, and these fields are wrong.
    pub(super) fn of_fields(mistakes: Vec<FieldMistake>) -> Self {
        Self::at_fields(StatusCode::UNPROCESSABLE_ENTITY, mistakes)
    }

    pub(super) fn of_field(field: &str, message: impl Into<String>) -> Self {
        Self::of_fields(vec![FieldMistake {
            field: field.to_owned(),
            message: message.into(),
        }])
    }

    pub(super) fn not_found(message: impl Into<String>) -> Self {
        Self::new(StatusCode::NOT_FOUND, message)
    }

    pub(super) fn unexpected(error: impl std::fmt::Display) -> Self {
        Self::new(StatusCode::INTERNAL_SERVER_ERROR, error.to_string())
    }

    fn at_fields(status: StatusCode, mistakes: Vec<FieldMistake>) -> Self {
        Self { status, mistakes }
    }
}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        let body = Body {
            mistakes: &self.mistakes,
        };
        (self.status, Json(body)).into_response()
    }
}

/// A request's body, or a refusal in the page's own form. It has to be declared as
/// JSON, which a foreign page cannot do without being asked for permission first.
pub(super) struct RequestBody<T>(pub(super) T);

impl<T: DeserializeOwned, S: Send + Sync> FromRequest<S> for RequestBody<T> {
    type Rejection = Refusal;

    async fn from_request(request: Request, state: &S) -> Result<Self, Refusal> {
        match Json::from_request(request, state).await {
            Ok(Json(body)) => Ok(Self(body)),
            Err(rejection) => {
                let status = match rejection {
                    JsonRejection::JsonDataError(_) => StatusCode::UNPROCESSABLE_ENTITY,
                    ref other => other.status(),
                };
                Err(Refusal::new(status, rejection.body_text()))
            }
        }
    }
}

/// What stands behind the `?`, or a refusal in the page's own form.
pub(super) struct RequestQuery<T>(pub(super) T);

impl<T: DeserializeOwned, S: Send + Sync> FromRequestParts<S> for RequestQuery<T> {
    type Rejection = Refusal;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Refusal> {
        match Query::from_request_parts(parts, state).await {
            Ok(Query(query)) => Ok(Self(query)),
            Err(rejection) => Err(Refusal::new(rejection.status(), rejection.body_text())),
        }
    }
}

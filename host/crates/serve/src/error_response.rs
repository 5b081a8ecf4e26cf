//! The response to a request that failed: messages, each with the form field it is about.

use std::time::Duration;

use axum::{
    Json,
    extract::{FromRequest, FromRequestParts, Query, Request, rejection::JsonRejection},
    http::{StatusCode, request::Parts},
    response::{IntoResponse, Response},
};
use serde::{Serialize, de::DeserializeOwned};
use tokio::time::timeout;

/// How long the body of a request may take.
const BODY_TIMEOUT: Duration = Duration::from_secs(10);

/// The result of a request.
pub(super) type ApiResult<T> = Result<T, ErrorResponse>;

/// A status and what is wrong.
#[derive(Debug)]
pub(super) struct ErrorResponse {
    status: StatusCode,
    diagnostics: Vec<FieldDiagnostic>,
}

/// One error in a request.
#[derive(Debug, Serialize)]
pub(super) struct FieldDiagnostic {
    /// The path of the field in the request, such as `agents.0.params.depth`; empty for
    /// an error that no single field causes.
    pub(super) field: String,
    pub(super) message: String,
}

#[derive(Serialize)]
struct ErrorBody<'r> {
    diagnostics: &'r [FieldDiagnostic],
}

impl ErrorResponse {
    pub(super) fn new(status: StatusCode, message: impl Into<String>) -> Self {
        Self {
            status,
            diagnostics: vec![FieldDiagnostic {
                field: String::new(),
                message: message.into(),
            }],
        }
    }

    /// The request was understood, but these fields have invalid values.
    pub(super) fn of_fields(diagnostics: Vec<FieldDiagnostic>) -> Self {
        Self {
            status: StatusCode::UNPROCESSABLE_ENTITY,
            diagnostics,
        }
    }

    pub(super) fn of_field(field: &str, message: impl Into<String>) -> Self {
        Self::of_fields(vec![FieldDiagnostic {
            field: field.to_owned(),
            message: message.into(),
        }])
    }

    /// What is wrong with the fields of the request.
    ///
    /// # Errors
    /// With the response itself, if no field is to blame.
    pub(super) fn into_diagnostics(self) -> Result<Vec<FieldDiagnostic>, Self> {
        if self.status == StatusCode::UNPROCESSABLE_ENTITY {
            Ok(self.diagnostics)
        } else {
            Err(self)
        }
    }

    pub(super) fn not_found(message: impl Into<String>) -> Self {
        Self::new(StatusCode::NOT_FOUND, message)
    }

    pub(super) fn internal(error: impl std::fmt::Display) -> Self {
        Self::new(StatusCode::INTERNAL_SERVER_ERROR, error.to_string())
    }
}

impl IntoResponse for ErrorResponse {
    fn into_response(self) -> Response {
        let body = ErrorBody {
            diagnostics: &self.diagnostics,
        };
        (self.status, Json(body)).into_response()
    }
}

/// The JSON body of a request; an invalid one is answered with an [`ErrorResponse`].
///
/// The content type must be JSON: a browser lets a foreign site send it only after a
/// preflight request, which this server does not grant.
pub(super) struct RequestBody<T>(pub(super) T);

impl<T: DeserializeOwned, S: Send + Sync> FromRequest<S> for RequestBody<T> {
    type Rejection = ErrorResponse;

    async fn from_request(request: Request, state: &S) -> ApiResult<Self> {
        let body = timeout(BODY_TIMEOUT, Json::from_request(request, state));
        match body.await {
            Err(_elapsed) => Err(ErrorResponse::new(
                StatusCode::REQUEST_TIMEOUT,
                "the request did not arrive in time; send it again",
            )),
            Ok(Ok(Json(body))) => Ok(Self(body)),
            Ok(Err(rejection)) => {
                let status = match rejection {
                    JsonRejection::JsonDataError(_) => StatusCode::UNPROCESSABLE_ENTITY,
                    ref other => other.status(),
                };
                Err(ErrorResponse::new(status, rejection.body_text()))
            }
        }
    }
}

/// The query string of a request; an invalid one is answered with an [`ErrorResponse`].
pub(super) struct RequestQuery<T>(pub(super) T);

impl<T: DeserializeOwned, S: Send + Sync> FromRequestParts<S> for RequestQuery<T> {
    type Rejection = ErrorResponse;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> ApiResult<Self> {
        match Query::from_request_parts(parts, state).await {
            Ok(Query(query)) => Ok(Self(query)),
            Err(rejection) => Err(ErrorResponse::new(
                rejection.status(),
                rejection.body_text(),
            )),
        }
    }
}

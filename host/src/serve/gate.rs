//! Who may ask: the page itself, from this machine, unless it was told otherwise.
//!
//! Any website that a person visits can send requests to this machine. So a request
//! has to name the host by address or as `localhost` (a name that was rebound to
//! 127.0.0.1 is some other site), and a browser has to say that it comes from our page.

use std::net::IpAddr;

use axum::{
    extract::Request,
    http::{HeaderMap, HeaderValue, StatusCode, header},
    middleware::Next,
    response::{IntoResponse, Response},
};

use super::refusal::Refusal;

/// Only the page's own files run and are asked for.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; \
    connect-src 'self'; img-src 'self' data:; frame-src 'self'; base-uri 'none'; \
    form-action 'none'; frame-ancestors 'self'";

pub(super) async fn gate(request: Request, next: Next) -> Response {
    let mut response = if is_from_the_page(request.headers()) {
        next.run(request).await
    } else {
        let message = "this server answers its own page only; open it by its address";
        Refusal::new(StatusCode::FORBIDDEN, message).into_response()
    };
    let headers = response.headers_mut();
    for (name, value) in [
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::REFERRER_POLICY, "no-referrer"),
        (header::CACHE_CONTROL, "no-store"),
    ] {
        headers.insert(name, HeaderValue::from_static(value));
    }
    // A report brings a policy of its own.
    headers
        .entry(header::CONTENT_SECURITY_POLICY)
        .or_insert(HeaderValue::from_static(POLICY));
    response
}

fn is_from_the_page(headers: &HeaderMap) -> bool {
    let text = |name| {
        headers
            .get(name)
            .and_then(|value: &HeaderValue| value.to_str().ok())
    };
    let Some(host) = text(header::HOST) else {
        return false;
    };
    let is_ours = match text(header::ORIGIN) {
        Some(origin) => origin == format!("http://{host}"),
        None => !headers.contains_key(header::ORIGIN),
    };
    is_ours && names_no_other_site(host)
}

/// Whether a `Host` is an address, `localhost` or this machine's own name.
fn names_no_other_site(host: &str) -> bool {
    let name = match host.rsplit_once(':') {
        Some((name, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) => name,
        _ => host,
    };
    let address = name.trim_start_matches('[').trim_end_matches(']');
    let own_name = nix::unistd::gethostname().ok();
    name == "localhost"
        || address.parse::<IpAddr>().is_ok()
        || own_name.is_some_and(|own| own.eq_ignore_ascii_case(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn passes(host: &str, origin: Option<&str>) -> bool {
        let mut headers = HeaderMap::new();
        headers.insert(header::HOST, host.parse().unwrap());
        if let Some(origin) = origin {
            headers.insert(header::ORIGIN, origin.parse().unwrap());
        }
        is_from_the_page(&headers)
    }

    #[test]
    fn the_page_may_ask_and_other_sites_may_not() {
        assert!(passes("127.0.0.1:2048", None));
        assert!(passes("127.0.0.1:2048", Some("http://127.0.0.1:2048")));
        assert!(passes("localhost:2048", Some("http://localhost:2048")));
        assert!(passes("[::1]:2048", Some("http://[::1]:2048")));
        assert!(!passes("127.0.0.1:2048", Some("http://evil.example")));
        assert!(!passes("127.0.0.1:2048", Some("null")));
        assert!(!passes("rebound.evil.example:2048", None));
        assert!(!passes(
            "rebound.evil.example:2048",
            Some("http://rebound.evil.example:2048")
        ));
        assert!(!is_from_the_page(&HeaderMap::new()));
    }
}

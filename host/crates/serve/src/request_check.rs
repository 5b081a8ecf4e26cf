//! Rejects requests that do not come from the page itself, and sets the security headers.
//!
//! Any website that a person visits can make the browser send requests to this machine.
//! Three checks stop that. The `Host` header must be an address, `localhost` or the name of
//! this machine, because another name that resolves to 127.0.0.1 belongs to a foreign site
//! (DNS rebinding). The `Origin` header, if present, must be the page's own origin. And
//! `Sec-Fetch-Site`, which browsers send with every request, must not name another site,
//! unless a person follows a link to the page.

use std::net::IpAddr;

use axum::{
    extract::Request,
    http::{HeaderMap, HeaderValue, Method, StatusCode, header},
    middleware::Next,
    response::{IntoResponse, Response},
};

use super::error_response::ErrorResponse;

/// The browser loads and runs nothing except the files of the page.
const CONTENT_SECURITY_POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; \
    connect-src 'self'; img-src 'self' data:; frame-src 'self'; base-uri 'none'; \
    form-action 'none'; frame-ancestors 'self'";

pub(super) async fn check_request(request: Request, next: Next) -> Response {
    let is_own = is_from_the_page(request.headers())
        && is_from_this_site(request.method(), request.headers());
    let mut response = if is_own {
        next.run(request).await
    } else {
        let message = "requests from other sites are rejected; open the page by its address";
        ErrorResponse::new(StatusCode::FORBIDDEN, message).into_response()
    };
    let headers = response.headers_mut();
    for (name, value) in [
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::REFERRER_POLICY, "no-referrer"),
    ] {
        headers.insert(name, HeaderValue::from_static(value));
    }
    // The files of the page say themselves how long they are valid.
    headers
        .entry(header::CACHE_CONTROL)
        .or_insert(HeaderValue::from_static("no-store"));
    // A report sets a policy of its own.
    headers
        .entry(header::CONTENT_SECURITY_POLICY)
        .or_insert(HeaderValue::from_static(CONTENT_SECURITY_POLICY));
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
    let has_own_origin = match text(header::ORIGIN) {
        Some(origin) => origin == format!("http://{host}"),
        None => !headers.contains_key(header::ORIGIN),
    };
    has_own_origin && is_this_machine(host)
}

/// Whether no other site made the browser send a request. Programs that are no browsers do
/// not say where a request comes from.
fn is_from_this_site(method: &Method, headers: &HeaderMap) -> bool {
    let has = |name: &str, value: &str| headers.get(name).is_some_and(|found| found == value);
    let is_own = !headers.contains_key("sec-fetch-site")
        || has("sec-fetch-site", "same-origin")
        || has("sec-fetch-site", "none");
    // The other site does not see the answer, and a GET changes nothing.
    let is_followed_link = *method == Method::GET
        && has("sec-fetch-mode", "navigate")
        && has("sec-fetch-dest", "document");
    is_own || is_followed_link
}

/// Whether a `Host` header is an address, `localhost` or the name of this machine.
fn is_this_machine(host: &str) -> bool {
    let name = match host.rsplit_once(':') {
        Some((name, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) => name,
        _ => host,
    };
    let address = name.trim_start_matches('[').trim_end_matches(']');
    let machine_name = nix::unistd::gethostname().ok();
    name == "localhost"
        || address.parse::<IpAddr>().is_ok()
        || machine_name.is_some_and(|machine| machine.eq_ignore_ascii_case(name))
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
    fn requests_of_the_page_pass_and_requests_of_other_sites_do_not() {
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

    #[test]
    fn a_browser_sends_nothing_on_behalf_of_another_site_except_links_that_are_followed() {
        let passes = |method: &Method, values: [Option<&'static str>; 3]| {
            let names = ["sec-fetch-site", "sec-fetch-mode", "sec-fetch-dest"];
            let mut headers = HeaderMap::new();
            for (name, value) in names.into_iter().zip(values) {
                if let Some(value) = value {
                    headers.insert(name, HeaderValue::from_static(value));
                }
            }
            is_from_this_site(method, &headers)
        };
        let (get, post) = (&Method::GET, &Method::POST);
        assert!(passes(post, [None, None, None]));
        assert!(passes(
            post,
            [Some("same-origin"), Some("cors"), Some("empty")]
        ));
        assert!(passes(
            get,
            [Some("none"), Some("navigate"), Some("document")]
        ));
        let link = [Some("cross-site"), Some("navigate"), Some("document")];
        assert!(passes(get, link));
        assert!(!passes(post, link));
        for site in [Some("cross-site"), Some("same-site"), Some("odd")] {
            assert!(!passes(get, [site, Some("no-cors"), Some("image")]));
            assert!(!passes(get, [site, Some("navigate"), Some("iframe")]));
            assert!(!passes(get, [site, None, None]));
        }
    }
}

//! Claims about parameters. As in a tournament, the host validates against the schema
//! first and asks the plugin about everything the schema allows.

use plugin_api::parameter_mistakes;
use serde_json::{Map, Value, json};

use super::{
    candidate::{Candidate, TrialSetup},
    description_claims::defaults,
    verdict::{ClaimResult, ClaimVerdict},
};
use play::player::NoMove;
use run::game_record::Ending;
use text::plugin_words::{PluginWords, name_as_code};

pub(super) fn accepts_its_defaults(candidate: &Candidate<'_>) -> ClaimResult {
    let defaults = defaults(&candidate.info.params);
    if defaults.is_empty() {
        return Ok(ClaimVerdict::skipped("it has no defaults"));
    }
    let detail = PluginWords::from(Value::Object(defaults.clone()).to_string()).to_string();
    candidate.start(&with_params(candidate, defaults))?;
    Ok(ClaimVerdict::passed(detail))
}

pub(super) fn rejects_unknown_parameters(candidate: &Candidate<'_>) -> ClaimResult {
    let unknown = Map::from_iter([("no_such_parameter".to_owned(), json!(1))]);
    Ok(match refusal(candidate, unknown)? {
        Some(sentence) => ClaimVerdict::passed(sentence),
        None => ClaimVerdict::failed(
            "accepts `no_such_parameter: 1`; a misspelt name in a tournament file would go unnoticed",
        ),
    })
}

pub(super) fn rejects_wrong_types(candidate: &Candidate<'_>) -> ClaimResult {
    let values = |property: &Value| {
        let wrong = if property["type"] == "string" {
            json!([1])
        } else {
            json!("not a value")
        };
        vec![wrong]
    };
    rejects(candidate, values, "give it a `type` in the schema")
}

pub(super) fn rejects_values_beyond_limits(candidate: &Candidate<'_>) -> ClaimResult {
    let values = |property: &Value| {
        let beyond = |key: &str, step: f64| {
            let limit = property.get(key)?.as_f64()?;
            Some(whole_where_possible(limit + step))
        };
        [beyond("minimum", -1.0), beyond("maximum", 1.0)]
            .into_iter()
            .flatten()
            .collect()
    };
    rejects(candidate, values, "check it in `new` or `create`")
}

fn whole_where_possible(number: f64) -> Value {
    #[expect(
        clippy::cast_possible_truncation,
        reason = "a limit of a parameter is far below 2^53, and a float saturates"
    )]
    let whole = number as i64;
    if number.fract() == 0.0 {
        json!(whole)
    } else {
        json!(number)
    }
}

/// Tries for every parameter the values that should be rejected.
fn rejects(
    candidate: &Candidate<'_>,
    values: impl Fn(&Value) -> Vec<Value>,
    advice: &str,
) -> ClaimResult {
    let properties = candidate
        .info
        .params
        .get("properties")
        .and_then(Value::as_object);
    let mut n_refused = 0;
    for (name, property) in properties.into_iter().flatten() {
        for value in values(property) {
            let shown = name_as_code(&format!("{name}: {value}"));
            let params = Map::from_iter([(name.clone(), value)]);
            if refusal(candidate, params)?.is_none() {
                return Ok(ClaimVerdict::failed(format!("accepts {shown}; {advice}")));
            }
            n_refused += 1;
        }
    }
    Ok(match n_refused {
        0 => ClaimVerdict::skipped("it has no parameters that this applies to"),
        n => ClaimVerdict::passed(format!("{n} tried")),
    })
}

/// Why these parameters are rejected, by the schema or by the plugin; `None` if an
/// agent is created.
fn refusal(
    candidate: &Candidate<'_>,
    params: Map<String, Value>,
) -> Result<Option<String>, NoMove> {
    let diagnostics = parameter_mistakes(&candidate.info.params, &Value::Object(params.clone()));
    if let Some(diagnostic) = diagnostics.first() {
        return Ok(Some(diagnostic.to_string()));
    }
    match candidate.start(&with_params(candidate, params)) {
        Ok(_) => Ok(None),
        Err(NoMove::Fault(fault)) if fault.ending == Ending::Refused => Ok(Some(fault.sentence)),
        Err(error) => Err(error),
    }
}

fn with_params(candidate: &Candidate<'_>, params: Map<String, Value>) -> TrialSetup {
    TrialSetup {
        params,
        ..candidate.short_trial()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_beyond_an_integer_limit_are_integers() {
        assert_eq!(whole_where_possible(9.0), json!(9));
        assert_eq!(whole_where_possible(0.5), json!(0.5));
    }
}

//! Claims about parameters: as a tournament does, the host looks at the schema first
//! and asks the plugin about what the schema leaves open.

use plugin_api::parameter_mistakes;
use serde_json::{Map, Value, json};

use super::{
    candidate::{Candidate, Stage},
    description_claims::defaults,
    verdict::Verdict,
};
use crate::{game_record::Ending, player::PlayerError};

type Result = std::result::Result<Verdict, PlayerError>;

pub(super) fn accepts_its_defaults(candidate: &Candidate<'_>) -> Result {
    let defaults = defaults(&candidate.info.params);
    if defaults.is_empty() {
        return Ok(Verdict::skipped("it has no defaults"));
    }
    let detail = format!("{}", Value::Object(defaults.clone()));
    candidate.start(&with_params(candidate, defaults))?;
    Ok(Verdict::passed(detail))
}

pub(super) fn refuses_unknown_parameters(candidate: &Candidate<'_>) -> Result {
    let unknown = Map::from_iter([("no_such_parameter".to_owned(), json!(1))]);
    Ok(match refusal(candidate, unknown)? {
        Some(sentence) => Verdict::passed(sentence),
        None => Verdict::failed(
            "takes `no_such_parameter: 1` without a word; a misspelt name in a tournament file would go unnoticed",
        ),
    })
}

pub(super) fn refuses_other_types(candidate: &Candidate<'_>) -> Result {
    let values = |property: &Value| {
        let wrong = if property["type"] == "string" {
            json!([1])
        } else {
            json!("not a value")
        };
        vec![wrong]
    };
    refuses(candidate, values, "give it a `type` in the schema")
}

pub(super) fn refuses_beyond_limits(candidate: &Candidate<'_>) -> Result {
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
    refuses(candidate, values, "check it in `new` or `create`")
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

/// Tries for every parameter the values that should be refused.
fn refuses(
    candidate: &Candidate<'_>,
    values: impl Fn(&Value) -> Vec<Value>,
    advice: &str,
) -> Result {
    let properties = candidate
        .info
        .params
        .get("properties")
        .and_then(Value::as_object);
    let mut n_refused = 0;
    for (name, property) in properties.into_iter().flatten() {
        for value in values(property) {
            let shown = format!("`{name}: {value}`");
            let params = Map::from_iter([(name.clone(), value)]);
            if refusal(candidate, params)?.is_none() {
                return Ok(Verdict::failed(format!(
                    "takes {shown} without a word; {advice}"
                )));
            }
            n_refused += 1;
        }
    }
    Ok(match n_refused {
        0 => Verdict::skipped("it has no parameters to try this with"),
        n => Verdict::passed(format!("{n} tried")),
    })
}

/// What is said against these parameters, by the schema or by the plugin; `None`
/// when an agent is made.
fn refusal(
    candidate: &Candidate<'_>,
    params: Map<String, Value>,
) -> std::result::Result<Option<String>, PlayerError> {
    let mistakes = parameter_mistakes(&candidate.info.params, &Value::Object(params.clone()));
    if let Some(mistake) = mistakes.first() {
        return Ok(Some(mistake.to_string()));
    }
    match candidate.start(&with_params(candidate, params)) {
        Ok(_) => Ok(None),
        Err(PlayerError::Fault(fault)) if fault.ending == Ending::Refused => {
            Ok(Some(fault.sentence))
        }
        Err(error) => Err(error),
    }
}

fn with_params(candidate: &Candidate<'_>, params: Map<String, Value>) -> Stage {
    Stage {
        params,
        ..candidate.short_stage()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_beyond_a_whole_limit_are_whole() {
        assert_eq!(whole_where_possible(9.0), json!(9));
        assert_eq!(whole_where_possible(0.5), json!(0.5));
    }
}

// The calls to the server.

/** What the server did not accept, each mistake with the field it belongs to. */
class Refusal extends Error {
  constructor(status, mistakes) {
    super(mistakes.map((mistake) => mistake.message).join("; "));
    this.status = status;
    this.mistakes = mistakes;
  }
}

const call = async (path, options) => {
  let answer;
  try {
    answer = await fetch(path, options);
  } catch {
    const message = "the server does not answer; is `host serve` still running?";
    throw new Refusal(0, [{ field: "", message }]);
  }
  const text = await answer.text();
  let value = null;
  try {
    value = text === "" ? null : JSON.parse(text);
  } catch {
    // An answer that is no JSON is told by its status below.
  }
  if (answer.ok) return value;
  const message = `the server answers ${answer.status}`;
  throw new Refusal(answer.status, value?.mistakes ?? [{ field: "", message }]);
};

export const get = (path) => call(path);

export const post = (path, body) => call(path, {
  method: "POST",
  headers: { "Content-Type": "application/json" },
  body: JSON.stringify(body),
});

/** A path whose variable parts cannot break out of their place. */
export const path = (parts, ...values) => String.raw({ raw: parts }, ...values.map(encodeURIComponent));

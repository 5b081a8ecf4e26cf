// The label of a budget as people read it. Labels are written as in a tournament file, where
// `µs` is `us`.

/** @param {string} label such as `500us cpu` */
export const budgetInWords = (label) => label.replace(/(\d)us\b/g, "$1 µs").replace(/(\d)(ms|s)\b/g, "$1 $2");

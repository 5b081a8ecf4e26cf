// Where the nodes of a search tree stand: the root at the top left, a row for each node without
// open children, and a node in the row of its first child. Indices are those of the explanation, in which a parent comes before its children.
/** @import { ExplainedNode } from "../net/server_json.js" */

/** @typedef {{ index: number, level: number, row: number }} Place */

/**
 * @param {ExplainedNode[]} nodes
 * @returns {number[][]} the children of each node
 */
export const childrenOf = (nodes) => {
  /** @type {number[][]} */
  const children = nodes.map(() => []);
  nodes.forEach(({ parent }, index) => { if (parent !== undefined) children[parent]?.push(index); });
  return children;
};

/**
 * For each node, the number of nodes below it, and the last of them: with that one the search
 * of the node was complete.
 * @param {ExplainedNode[]} nodes
 */
export const subtreesOf = (nodes) => {
  const below = nodes.map(() => 0);
  const last = nodes.map((_, index) => index);
  for (let index = nodes.length - 1; index > 0; index--) {
    const parent = nodes[index]?.parent ?? 0;
    below[parent] = (below[parent] ?? 0) + 1 + (below[index] ?? 0);
    last[parent] = Math.max(last[parent] ?? 0, last[index] ?? 0);
  }
  return { below, last };
};

/**
 * The nodes to open at first: level by level, as long as no more than so many nodes are visible.
 * @param {number[][]} children
 * @param {number} most
 */
export const firstOpen = (children, most) => {
  /** @type {Set<number>} */
  const open = new Set();
  let nVisible = 1;
  /** @param {number} index */
  const tryToOpen = (index) => {
    const n = children[index]?.length ?? 0;
    if (n === 0 || (nVisible + n > most && index > 0)) return false;
    open.add(index);
    nVisible += n;
    return true;
  };
  let level = [0];
  while (level.length > 0) level = level.filter(tryToOpen).flatMap((index) => children[index] ?? []);
  return open;
};

/**
 * The visible nodes from top to bottom, a parent before its children.
 * @param {number[][]} children
 * @param {Set<number>} open
 * @returns {Place[]}
 */
export const layOut = (children, open) => {
  /** @type {Place[]} */
  const places = [];
  let nRows = 0;
  /** @type {(index: number, level: number) => void} */
  const visit = (index, level) => {
    const place = { index, level, row: nRows };
    places.push(place);
    const below = open.has(index) ? children[index] ?? [] : [];
    for (const child of below) visit(child, level + 1);
    if (below.length === 0) nRows += 1;
  };
  if (children.length > 0) visit(0, 0);
  return places;
};

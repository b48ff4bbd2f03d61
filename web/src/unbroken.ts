// In a sentence of the page a number and its percent sign stay on one line, wherever the text comes from: preact makes
// a node of each text and asks here first. What is saved or copied by a button keeps its plain spaces.
import { options, type VNode } from "preact";

export const unbroken = (text: string): string =>
  /[a-z]/.test(text) ? text.replace(/([\d\]]) %/g, "$1\u00a0%") : text;

options.vnode = (v: VNode) => {
  const node = v as unknown as { type: unknown; props: unknown };
  if (node.type === null && typeof node.props === "string") node.props = unbroken(node.props);
};

// Small helpers to build and change the page. Text is never parsed as markup here: names come from strangers.
const SVG = "http://www.w3.org/2000/svg";

function fill(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else node.setAttribute(name, value === true ? "" : value);
  }
  node.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== false));
  return node;
}

export const h = (tag, attributes = {}, ...children) => fill(document.createElement(tag), attributes, children);
export const s = (tag, attributes = {}, ...children) => fill(document.createElementNS(SVG, tag), attributes, children);

export const sign = (name, size = 22, label = "") =>
  s("svg", { class: "sign", width: size, height: size, ...(label ? { role: "img", "aria-label": label } : { "aria-hidden": "true" }) },
    s("use", { href: `#${name}`, width: "100%", height: "100%" }));

export function setText(node, text) {
  if (node.textContent !== text) node.textContent = text;
}

export function setAttribute(node, name, value) {
  if (node.getAttribute(name) !== String(value)) node.setAttribute(name, value);
}

const decimals = {};

// A number with so many decimals, as the page's language writes it.
export function decimal(value, places = 1) {
  const fixed = { minimumFractionDigits: places, maximumFractionDigits: places };
  return (decimals[places] ??= new Intl.NumberFormat(document.documentElement.lang || "en", fixed)).format(value);
}

// Resolves once a style sheet is there, or cannot be had.
export const style = (href) => new Promise((done) => document.head.append(h("link", { rel: "stylesheet", href, onload: done, onerror: done })));

export const data = (id) => JSON.parse(document.getElementById(id).textContent);

export const calm = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

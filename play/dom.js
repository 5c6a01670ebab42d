// Elements. Text is set as text, never as markup, so that names from files and links stay names.

export const byId = (id) => document.getElementById(id);

/** An element with attributes and children; a child is an element or a text. */
export function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") {
      element.addEventListener(name, value);
    } else if (value !== false && value != null) {
      element.setAttribute(name, value === true ? "" : value);
    }
  }
  element.append(...children);
  return element;
}

/** A number for people: 12, 3.4, 1,234. Without the locales of the browser, whose first use takes as long as a picture. */
export function figureOf(value, digits = 1) {
  const [whole, rest = ""] = value.toFixed(digits).split(".");
  const figures = rest.replace(/0+$/, "");
  return whole.replace(/\B(?=(\d{3})+$)/g, ",") + (figures === "" ? "" : `.${figures}`);
}

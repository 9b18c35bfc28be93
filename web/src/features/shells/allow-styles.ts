/**
 * Lets the terminal draw: it makes style sheets, and sets styles of its cells as texts, with the page's own document whatever it is
 * told to use instead. The page's policy allows neither without a nonce; styles that are set as properties it allows.
 */
const nonce = document.querySelector<HTMLMetaElement>('meta[name="csp-nonce"]')?.content ?? "";
let terminals = 0;

function createElement(name: string, options?: ElementCreationOptions): HTMLElement {
  const element = Document.prototype.createElement.call(document, name, options);
  if (name === "style") element.nonce = nonce;
  else if (name === "span") {
    const setAttribute = element.setAttribute.bind(element);
    element.setAttribute = (attribute, value) => {
      if (attribute === "style") element.style.cssText = value;
      else setAttribute(attribute, value);
    };
  }
  return element;
}

/** For as long as a terminal is open; the returned function ends it. */
export function allowStyles(): () => void {
  terminals += 1;
  Object.defineProperty(document, "createElement", { value: createElement, configurable: true });
  return () => {
    terminals -= 1;
    if (terminals === 0) Reflect.deleteProperty(document, "createElement");
  };
}

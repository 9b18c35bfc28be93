/**
 * The page's document for the terminal, which makes style sheets and sets styles as texts. The page's policy allows neither without
 * a nonce; styles that are set as properties it allows.
 */
const nonce = document.querySelector<HTMLMetaElement>('meta[name="csp-nonce"]')?.content ?? "";

function createElement(name: string): HTMLElement {
  const element = Document.prototype.createElement.call(document, name);
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

/** For `documentOverride` of a terminal. */
export const terminalDocument = new Proxy(document, {
  get(target, key) {
    if (key === "createElement") return createElement;
    const value: unknown = Reflect.get(target, key, target);
    return typeof value === "function" ? value.bind(target) : value;
  },
});

/** Runs what makes style sheets in the page's own document, whatever it was told to use instead. */
export function withNonce(work: () => void): void {
  Object.defineProperty(document, "createElement", { value: createElement, configurable: true });
  try {
    work();
  } finally {
    Reflect.deleteProperty(document, "createElement");
  }
}

/** Markdown pages of `docs/` as HTML: headings get anchors, links to other pages become addresses of this server. */
import { Marked, type Tokens } from "marked";
import { escapeHtml } from "../http/page.ts";

export interface RenderedMarkdown {
  title: string;
  html: string;
}

/** Address of the page that a Markdown file becomes; a `README.md` is the page of its folder. */
export function pageAddress(file: string): string {
  const name = file.replace(/\.md$/, "").replace(/(^|\/)(README|index)$/, "");
  return name === "" ? "/docs" : `/docs/${name}`;
}

/** `file` is the path below `docs/`, from which links are resolved. */
export function renderMarkdown(text: string, file: string): RenderedMarkdown {
  let title = "";
  const used = new Map<string, number>();
  const marked = new Marked({
    gfm: true,
    renderer: {
      heading({ tokens, depth }: Tokens.Heading): string {
        const inner = this.parser.parseInline(tokens);
        const plain = tokens.map((token) => ("text" in token ? String(token.text) : token.raw)).join("");
        if (depth === 1 && title === "") title = plain.replaceAll("`", "");
        return `<h${depth} id="${anchorOf(plain, used)}">${inner}</h${depth}>\n`;
      },
      link({ href, tokens }: Tokens.Link): string {
        const target = /^[a-z]+:/i.test(href) ? href : addressOf(href, file);
        const safe = /^(https?:|mailto:|[^:]*$)/i.test(target) ? target : "#";
        return `<a href="${escapeHtml(safe)}">${this.parser.parseInline(tokens)}</a>`;
      },
      image({ href, text: alternative }: Tokens.Image): string {
        return `<img src="${escapeHtml(addressOf(href, file))}" alt="${escapeHtml(alternative)}">`;
      },
      // Pages are Markdown only: comments vanish, anything else is shown as text.
      html({ text: raw }: Tokens.HTML | Tokens.Tag): string {
        return raw.startsWith("<!--") ? "" : escapeHtml(raw);
      },
    },
  });
  const html = marked.parse(text, { async: false });
  return { title: title === "" ? "Untitled" : title, html };
}

function addressOf(href: string, file: string): string {
  if (/^[#/]/.test(href)) return href;
  const { pathname, hash } = new URL(href, `https://docs/${file}`);
  const path = pathname.slice(1);
  return (path.endsWith(".md") ? pageAddress(path) : `/docs/${path}`) + hash;
}

/** As GitHub makes them, so that links work in both places; codes such as P104 keep their capital. */
function anchorOf(text: string, used: Map<string, number>): string {
  if (/^[A-Z][0-9]{3}$/.test(text)) return text;
  const base = text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}_ -]/gu, "")
    .trim()
    .replaceAll(" ", "-");
  const count = used.get(base) ?? 0;
  used.set(base, count + 1);
  return count === 0 ? base : `${base}-${count}`;
}

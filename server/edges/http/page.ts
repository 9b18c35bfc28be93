/** The frame of every documentation page: plain HTML, no script, one style sheet, light and dark by the reader's choice. */
export interface NavGroup {
  title: string;
  pages: readonly { href: string; title: string }[];
  /** Shown only to those who open it, or who are on one of its pages. */
  isFolded: boolean;
}

export function escapeHtml(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
}

export function renderPage(page: {
  title: string;
  body: string;
  nav: readonly NavGroup[];
  current: string;
}): string {
  const groups = page.nav.map((group) => renderGroup(group, page.current)).join("\n");
  const toContents = groups === "" ? "" : ' <a class="to-contents" href="#contents">Contents</a>';
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(page.title)} · Forgeline</title>
<link rel="stylesheet" href="/docs/style.css">
</head>
<body>
<header><a href="/">Forgeline</a> <a href="/docs">Documentation</a>${toContents}</header>
<div class="columns">
<nav id="contents" aria-label="Pages">${groups}</nav>
<main>
${page.body}
</main>
</div>
</body>
</html>
`;
}

function renderGroup({ title, pages, isFolded }: NavGroup, current: string): string {
  const links = pages.map(({ href, title: name }) => {
    const marked = href === current ? ' aria-current="page"' : "";
    return `<li><a href="${escapeHtml(href)}"${marked}>${escapeHtml(name)}</a></li>`;
  });
  const list = `<ul>${links.join("")}</ul>`;
  if (!isFolded) return `<p>${escapeHtml(title)}</p>${list}`;
  const open = pages.some(({ href }) => href === current) ? " open" : "";
  return `<details${open}><summary>${escapeHtml(title)}</summary>${list}</details>`;
}

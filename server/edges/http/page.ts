/** The frame of every documentation page: plain HTML, no script, one style sheet, light and dark by the reader's choice. */
export interface NavEntry {
  href: string;
  title: string;
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
  nav: readonly NavEntry[];
  current: string;
}): string {
  const links = page.nav
    .map(({ href, title }) => {
      const current = href === page.current ? ' aria-current="page"' : "";
      return `<li><a href="${escapeHtml(href)}"${current}>${escapeHtml(title)}</a></li>`;
    })
    .join("");
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(page.title)} · Forgeline</title>
<link rel="stylesheet" href="/docs/style.css">
</head>
<body>
<header><a href="/">Forgeline</a> <a href="/docs">Documentation</a></header>
<div class="columns">
<nav aria-label="Pages"><ul>${links}</ul></nav>
<main>
${page.body}
</main>
</div>
</body>
</html>
`;
}

/** `/docs/api`: every operation of the OpenAPI document as one page. */
import type { OpenApiDocument, OpenApiOperation } from "../openapi/openapi.ts";
import { escapeHtml } from "../http/page.ts";

interface Parameter {
  name: string;
  in: string;
  required: boolean;
  description?: string;
}

export function renderApiPage(document: OpenApiDocument): string {
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  );
  const sections = document.tags.map(({ name }) => {
    const own = operations.filter(({ operation }) => operation.tags.includes(name));
    return `<h2 id="${escapeHtml(name)}">${escapeHtml(name)}</h2>\n${own.map(renderOperation).join("\n")}`;
  });
  return `<h1>REST API</h1>
<p>Paths are relative to <code>/api/v1</code>. The same as a document for programs:
<a href="/api/v1/openapi.json">openapi.json</a>. Errors: <a href="/docs/errors">list of codes</a>.</p>
${sections.join("\n")}`;
}

function renderOperation(entry: { path: string; method: string; operation: OpenApiOperation }): string {
  const { path, method, operation } = entry;
  const paragraphs = (operation.description ?? "").split("\n\n").map((text) => `<p>${inlineCode(text)}</p>`);
  return `<h3 id="${escapeHtml(operation.operationId)}"><span class="method">${method}</span> <code>${escapeHtml(path)}</code></h3>
<p><strong>${escapeHtml(operation.summary)}</strong></p>
${paragraphs.join("\n")}
${renderParameters(operation.parameters as Parameter[])}
${renderBody(operation.requestBody as RequestBody | undefined)}
<p class="muted">Answers: ${Object.keys(operation.responses)
    .map((status) => `<code>${status}</code>`)
    .join(" ")}</p>`;
}

function renderParameters(parameters: readonly Parameter[]): string {
  if (parameters.length === 0) return "";
  const rows = parameters.map(
    (p) =>
      `<tr><td><code>${escapeHtml(p.name)}</code></td><td>${p.in}${p.required ? ", required" : ""}</td><td>${inlineCode(p.description ?? "")}</td></tr>`,
  );
  return `<table><thead><tr><th>Parameter</th><th>Where</th><th>Meaning</th></tr></thead><tbody>${rows.join("")}</tbody></table>`;
}

interface RequestBody {
  content: { "application/json"?: { schema: { $ref?: string }; example?: unknown } };
}

function renderBody(requestBody: RequestBody | undefined): string {
  if (requestBody === undefined) return "";
  const json = requestBody.content["application/json"];
  if (!json) return "<p>Body: the bytes of the file.</p>";
  const { schema, example } = json;
  const name = schema.$ref?.replace("#/components/schemas/", "");
  return `<p>Body: JSON${name === undefined ? "" : `, <code>${escapeHtml(name)}</code> in the OpenAPI document`}. For example:</p>
<pre><code>${escapeHtml(JSON.stringify(example, null, 2))}</code></pre>`;
}

function inlineCode(text: string): string {
  return escapeHtml(text).replaceAll(/`([^`]+)`/g, "<code>$1</code>");
}

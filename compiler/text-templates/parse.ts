/**
 * Templates of issues and merge requests: Markdown, which may begin with settings between two lines `---`, or a form as YAML. Both
 * are written as GitHub's ("About issue and pull request templates", "Syntax for issue forms"). Pure.
 */
import type { TemplateError, TextTemplate } from "@forgeline/schemas/text-templates/resource.ts";
import { z } from "zod";
import { fieldsOf, Questions } from "./fields.ts";
import { readYaml } from "./read-yaml.ts";

export type ParsedTemplate = { template: TextTemplate } | { error: TemplateError };

export function parseTemplate(path: string, text: string): ParsedTemplate {
  return /\.ya?ml$/.test(path) ? parseForm(path, text) : parseMarkdown(path, text);
}

const word = z.string().max(1_000);
/** A list, or names with commas between them. */
const names = z
  .union([z.array(word), word])
  .transform((value) => (typeof value === "string" ? value.split(",") : value))
  .transform((all) => all.map((name) => name.trim()).filter((name) => name !== ""))
  .pipe(z.array(z.string()).max(20))
  .nullish()
  .transform((all) => all ?? []);

const settings = {
  name: word.nullish(),
  title: word.nullish(),
  labels: names,
  assignees: names,
};

const Head = z.object({ ...settings, about: word.nullish() });
const Form = z.object({ ...settings, description: word.nullish(), body: Questions });

const head = /^---[ \t]*\r?\n([\s\S]*?)\r?\n---[ \t]*(?:\r?\n|$)/;

function parseMarkdown(path: string, text: string): ParsedTemplate {
  const match = head.exec(text);
  const body = text.slice(match?.[0].length ?? 0).replace(/^(?:\r?\n)+/, "");
  const read = readYaml(match?.[1] ?? "", Head, 1);
  if ("error" in read) return { error: { path, ...read.error } };
  const { about, ...rest } = read.value;
  return { template: { ...shared(path, rest), about: about ?? "", body, form: null } };
}

function parseForm(path: string, text: string): ParsedTemplate {
  const read = readYaml(text, Form, 0);
  if ("error" in read) return { error: { path, ...read.error } };
  const { description, body, ...rest } = read.value;
  const form = fieldsOf(body);
  const repeated = repeatedId(form);
  if (repeated !== undefined)
    return { error: { path, line: null, message: `Two questions have the id "${repeated}".` } };
  return { template: { ...shared(path, rest), about: description ?? "", body: "", form } };
}

function shared(path: string, { name, title, labels, assignees }: Omit<z.infer<typeof Head>, "about">) {
  return { path, name: name?.trim() || nameOf(path), title: title ?? "", labels, assignees };
}

function repeatedId(form: ReturnType<typeof fieldsOf>): string | undefined {
  const ids = form.flatMap((field) => (field.type === "markdown" ? [] : [field.id]));
  return ids.find((id, index) => ids.indexOf(id) !== index);
}

/** `.forgeline/issue-templates/bug-report.md` is "Bug report". */
function nameOf(path: string): string {
  const file = path.slice(path.lastIndexOf("/") + 1).replace(/\.[a-z]+$/i, "");
  const words = file.replace(/[-_]+/g, " ").trim();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

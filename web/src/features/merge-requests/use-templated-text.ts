/** A description that follows a template for as long as nobody has typed another one. */
import { useState } from "react";
import type { Schemas } from "@forgeline/client/schemas.ts";
import { withTemplate } from "./prefill.ts";

type Template = Schemas["TextTemplate"];

/** `start`: what it says without a template. The only template counts from the beginning. */
export function useTemplatedText(templates: readonly Template[], start: string) {
  const [template, setTemplate] = useState(templates.length === 1 ? templates[0] : undefined);
  const proposed = withTemplate(start, template?.body);
  const [text, setText] = useState(proposed);
  const isTyped = text !== proposed;
  const choose = (next: Template | undefined) => {
    setTemplate(next);
    if (!isTyped) setText(withTemplate(start, next?.body));
  };
  return { text, setText, template, isTyped, choose };
}

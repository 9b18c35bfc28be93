/** The template that the description of a new merge request follows, where the repository has any. */
import type { Schemas } from "@forgeline/client/schemas.ts";
import { text } from "../../text/merge-requests.ts";
import { SelectField } from "../../ui/field.tsx";
import { Notice } from "../../ui/notice.tsx";

type Template = Schemas["TextTemplate"];

interface TemplateFieldProps {
  found: Schemas["TextTemplates"];
  chosen: Template | undefined;
  /** What was typed stays, so choosing another one changes no text. */
  isTyped: boolean;
  onChoose: (template: Template | undefined) => void;
}

export function TemplateField({ found, chosen, isTyped, onChoose }: TemplateFieldProps) {
  const { templates, errors } = found;
  const hints = [
    ...(isTyped ? [text.templateTyped] : []),
    ...(chosen && chosen.about !== "" ? [chosen.about] : []),
    ...(chosen && chosen.labels.length > 0 ? [text.templateLabels(chosen.labels.join(", "))] : []),
  ];
  return (
    <>
      {templates.length === 0 ? null : (
        <SelectField
          label={text.template}
          hint={hints.length > 0 ? hints.join(" ") : undefined}
          value={chosen?.path ?? ""}
          onChange={({ target }) => onChoose(templates.find(({ path }) => path === target.value))}
        >
          <option value="">{text.noTemplate}</option>
          {templates.map(({ path, name }) => (
            <option key={path} value={path}>
              {name}
            </option>
          ))}
        </SelectField>
      )}
      {errors.map(({ path, line, message }) => (
        <Notice key={path} tone="warn">
          {text.templateError(line === null ? path : `${path}:${line}`, message)}
        </Notice>
      ))}
    </>
  );
}

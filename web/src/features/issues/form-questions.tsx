/** The questions of a form for issues. */
import { text } from "../../text/issues.ts";
import { CheckField, FieldGroup, SelectField, TextArea, TextField } from "../../ui/field.tsx";
import { MarkdownField } from "../markdown/markdown-field.tsx";
import { MarkdownText } from "../markdown/markdown-text.tsx";
import type { MarkdownPlace } from "../markdown/targets.ts";
import type { Answers, FormField } from "./compose-form.ts";
import wide from "./wide-field.module.css";

export interface FormQuestionsProps {
  fields: readonly FormField[];
  answers: Answers;
  onAnswer: (id: string, answer: string | readonly string[]) => void;
  place: MarkdownPlace;
}

export function FormQuestions({ fields, ...rest }: FormQuestionsProps) {
  return fields.map((field, index) => (
    <div key={field.type === "markdown" ? index : field.id} className={wide.wide}>
      <Question field={field} {...rest} />
    </div>
  ));
}

type QuestionProps = Omit<FormQuestionsProps, "fields"> & { field: FormField };

function Question({ field, answers, onAnswer, place }: QuestionProps) {
  if (field.type === "markdown") return <MarkdownText source={field.text} place={place} />;
  const answer = answers[field.id];
  const words = typeof answer === "string" ? answer : "";
  const chosen = typeof answer === "string" ? [answer] : (answer ?? []);
  const say = (value: string) => onAnswer(field.id, value);
  const toggle = (option: string, isOn: boolean) =>
    onAnswer(field.id, isOn ? [...chosen, option] : chosen.filter((each) => each !== option));
  const frame = { label: field.label, hint: field.description };
  if (field.type === "input") return <Line field={field} frame={frame} words={words} say={say} />;
  if (field.type === "textarea") return <Words field={field} place={place} words={words} say={say} />;
  if (field.type === "dropdown" && !field.multiple)
    return (
      <SelectField
        {...frame}
        required={field.required}
        value={words}
        onChange={(event) => say(event.target.value)}
      >
        <option value="">{text.chooseOne}</option>
        {field.options.map((option) => (
          <option key={option}>{option}</option>
        ))}
      </SelectField>
    );
  const boxes =
    field.type === "dropdown"
      ? field.options.map((label) => ({ label, required: field.required && chosen.length === 0 }))
      : field.options;
  return (
    <FieldGroup legend={field.label}>
      {field.description === "" ? null : <MarkdownText source={field.description} place={place} />}
      {boxes.map(({ label, required }) => (
        <CheckField
          key={label}
          label={label}
          required={required}
          checked={chosen.includes(label)}
          onChange={(event) => toggle(label, event.target.checked)}
        />
      ))}
    </FieldGroup>
  );
}

interface Written<Type> {
  field: Extract<FormField, { type: Type }>;
  words: string;
  say: (value: string) => void;
}

function Line(props: Written<"input"> & { frame: { label: string; hint: string } }) {
  const { field, frame, words, say } = props;
  return (
    <TextField
      {...frame}
      required={field.required}
      placeholder={field.placeholder}
      value={words}
      onChange={(event) => say(event.target.value)}
    />
  );
}

/** Code is not Markdown. */
function Words({ field, place, words, say }: Written<"textarea"> & { place: MarkdownPlace }) {
  const { label, description: hint, required } = field;
  if (field.language === null)
    return <MarkdownField {...{ label, hint, required, place }} value={words} onChange={say} rows={6} />;
  return (
    <TextArea
      {...{ label, hint, required }}
      placeholder={field.placeholder}
      spellCheck={false}
      value={words}
      onChange={(event) => say(event.target.value)}
    />
  );
}

/** A field for each input that a pipeline file declares, by its type. */
import type { Schemas } from "@forgeline/client/schemas.ts";
import { text } from "../../text/run-dialog.ts";
import { CheckField, SelectField, TextArea, TextField } from "../../ui/field.tsx";
import type { FormValues } from "../../ui/form.tsx";

type Input = Schemas["PipelineInput"];

const fieldOf = ({ name }: Input) => `input-${name}`;

export function InputFields({
  inputs,
  problems,
}: {
  inputs: readonly Input[];
  problems: Readonly<Record<string, string>>;
}) {
  // A field starts anew where another file, or another commit, declares it otherwise.
  return inputs.map((input) => (
    <InputField key={JSON.stringify(input)} input={input} problem={problems[`inputs.${input.name}`]} />
  ));
}

function InputField({ input, problem }: { input: Input; problem: string | undefined }) {
  const { type, options, required } = input;
  const shared = {
    name: fieldOf(input),
    label: required ? text.requiredInput(input.name) : input.name,
    hint: input.description ?? undefined,
    problem,
  };
  if (type === "boolean") return <CheckField {...shared} defaultChecked={input.default === true} />;
  const filled = { ...shared, required, defaultValue: String(input.default ?? "") };
  if (type === "choice")
    return (
      <SelectField {...filled}>
        {input.default === null ? <option value="">{text.noChoice}</option> : null}
        {options.map((option) => (
          <option key={option} value={option}>
            {option}
          </option>
        ))}
      </SelectField>
    );
  if (type === "number") return <TextField {...filled} type="number" step="any" />;
  // A field of one line would drop the others.
  const Field = filled.defaultValue.includes("\n") ? TextArea : TextField;
  return <Field {...filled} autoCapitalize="off" autoComplete="off" spellCheck={false} />;
}

/** As a body of the API. An empty field gives nothing, unless it empties a text that has a default. */
export function inputsOf(inputs: readonly Input[], values: FormValues): Record<string, string | boolean> {
  const given: Record<string, string | boolean> = {};
  for (const input of inputs) {
    const value = values[fieldOf(input)];
    if (input.type === "boolean") given[input.name] = value !== undefined;
    else if (value || (value === "" && input.type === "string" && input.default !== null))
      given[input.name] = value;
  }
  return given;
}

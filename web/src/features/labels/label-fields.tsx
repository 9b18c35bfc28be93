/** The fields of a label, with how it will look. */
import { useId, useState } from "react";
import type { Schemas } from "@forgeline/client/schemas.ts";
import { labelColors } from "@forgeline/client/generated/choices.ts";
import { text } from "../../text/labels.ts";
import { FieldGroup, TextField } from "../../ui/field.tsx";
import type { FormValues } from "../../ui/form.tsx";
import { LabelChip } from "./label-chip.tsx";
import styles from "./label-fields.module.css";

export interface LabelFieldsProps {
  label?: Schemas["Label"];
  problems: Record<string, string>;
}

export function LabelFields({ label, problems }: LabelFieldsProps) {
  const [name, setName] = useState(label?.name ?? "");
  const [color, setColor] = useState(label?.color ?? labelColors[0]);
  return (
    <>
      <TextField
        name="name"
        label={text.name}
        hint={text.nameHint}
        required
        maxLength={100}
        pattern="[^,]*"
        autoComplete="off"
        value={name}
        onChange={(event) => setName(event.target.value)}
        problem={problems["name"]}
      />
      <TextField
        name="description"
        label={text.description}
        maxLength={200}
        autoComplete="off"
        defaultValue={label?.description ?? ""}
        problem={problems["description"]}
      />
      <ColorField color={color} onChange={setColor} problem={problems["color"]} />
      <p className={styles.preview}>
        <span>{text.preview}</span>
        <LabelChip name={name.trim() || text.previewName} color={color} />
      </p>
    </>
  );
}

function ColorField(props: {
  color: string;
  onChange: (color: string) => void;
  problem: string | undefined;
}) {
  const { color, onChange, problem } = props;
  const own = useId();
  return (
    <FieldGroup legend={text.color} problem={problem}>
      <div className={styles.colors}>
        {labelColors.map((each) => (
          <input
            key={each}
            type="radio"
            name="swatch"
            className={styles.swatch}
            style={{ backgroundColor: `#${each}` }}
            aria-label={text.colors[each]}
            title={text.colors[each]}
            checked={color === each}
            onChange={() => onChange(each)}
          />
        ))}
      </div>
      <div className={styles.own}>
        <label htmlFor={own}>{text.ownColor}</label>
        <input
          id={own}
          type="color"
          name="color"
          value={`#${color}`}
          onChange={(event) => onChange(event.target.value.slice(1))}
        />
      </div>
    </FieldGroup>
  );
}

/** As a body of the API. */
export function labelOf(values: FormValues) {
  return {
    name: values["name"] ?? "",
    description: values["description"] ?? "",
    color: (values["color"] ?? "").slice(1),
  };
}

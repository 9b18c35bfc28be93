/** A field for each limit of pipelines; one that is empty follows the level above. */
import type { Schemas } from "@forgeline/client/schemas.ts";
import { fieldProblems } from "../../api/problem.ts";
import { text } from "../../text/pipeline-limits.ts";
import { TextField } from "../../ui/field.tsx";
import { Form, type FormValues } from "../../ui/form.tsx";
import { useChange } from "../../ui/use-change.ts";
import styles from "./limits-form.module.css";

type Limit = Schemas["PipelineLimit"];

export function LimitsForm(props: {
  limits: readonly Limit[];
  /** Whose limits these are. */
  level: "instance" | "organization";
  set: (limits: Schemas["PipelineLimitsSet"]) => Promise<unknown>;
}) {
  const { limits, level } = props;
  const save = useChange((values: FormValues) => props.set(limitsOf(limits, values)), { said: text.saved });
  const problems = fieldProblems(save.error);
  return (
    <Form submit={text.save} state={save} onSubmit={save.mutate}>
      <div className={styles.limits}>
        {limits.map((limit) => (
          <TextField
            key={limit.name}
            name={limit.name}
            type="number"
            min={limit.lowest}
            max={limit.highest}
            label={text.names[limit.name]}
            hint={hintOf(limit, level)}
            defaultValue={limit.set_by === level ? limit.value : ""}
            problem={problems[limit.name]}
          />
        ))}
      </div>
    </Form>
  );
}

function hintOf(limit: Limit, level: "instance" | "organization"): string {
  const isInherited = level === "organization" && limit.set_by === "instance";
  return text.hint(limit) + (isInherited ? text.followed(limit.value) : "");
}

function limitsOf(limits: readonly Limit[], values: FormValues): Schemas["PipelineLimitsSet"] {
  return Object.fromEntries(
    limits.flatMap(({ name }) => {
      const typed = values[name] ?? "";
      return typed === "" ? [] : [[name, Number(typed)]];
    }),
  );
}

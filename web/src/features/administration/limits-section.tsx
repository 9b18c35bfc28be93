/** Rate limits of an account: those that were set, and those that the instance gives. */
import type { Schemas } from "@forgeline/client/schemas.ts";
import { fieldProblems } from "../../api/problem.ts";
import { text } from "../../text/administration.ts";
import { text as storage } from "../../text/storage.ts";
import { TextField } from "../../ui/field.tsx";
import { Form, type FormValues } from "../../ui/form.tsx";
import { Section } from "../../ui/page.tsx";
import { formatCount } from "../../ui/size.ts";
import { useChange } from "../../ui/use-change.ts";
import styles from "./limits-section.module.css";

type Limit = Schemas["AccountLimit"];

const kinds: Readonly<Record<string, string>> = storage.kinds;

export function LimitsSection(props: {
  limits: readonly Limit[];
  save: (limits: Schemas["CustomLimits"]) => Promise<unknown>;
}) {
  const save = useChange((values: FormValues) => props.save(customOf(props.limits, values)), {
    said: text.saved,
  });
  const problems = fieldProblems(save.error);
  return (
    <Section title={text.limits} lead={text.limitsLead}>
      <Form submit={text.save} state={save} onSubmit={save.mutate}>
        <div className={styles.limits}>
          {props.limits.map(({ resource, limit, window_seconds: seconds, custom }) => (
            <TextField
              key={resource}
              name={resource}
              type="number"
              min={1}
              label={`${kinds[resource] ?? resource} (${resource})`}
              hint={
                limit === 0
                  ? text.noLimit
                  : (custom ? text.custom : text.notCustom)(formatCount(limit), formatCount(seconds))
              }
              defaultValue={custom && limit > 0 ? limit : ""}
              problem={problems[resource]}
            />
          ))}
        </div>
      </Form>
    </Section>
  );
}

function customOf(limits: readonly Limit[], values: FormValues): Schemas["CustomLimits"] {
  return Object.fromEntries(
    limits.flatMap(({ resource }) => {
      const typed = values[resource] ?? "";
      return typed === "" ? [] : [[resource, Number(typed)]];
    }),
  );
}

/** The fields of a secret, in the form that adds one and in the one that replaces it. */
import { pipelineEvents } from "@forgeline/client/generated/choices.ts";
import type { Schemas } from "@forgeline/client/schemas.ts";
import { text } from "../../text/secrets.ts";
import { CheckField, FieldGroup, TextArea, TextField } from "../../ui/field.tsx";
import type { FormValues } from "../../ui/form.tsx";
import { useSecretOwner } from "./use-secret-owner.ts";

type Secret = Schemas["Secret"];

const kinds = ["repositories", "branches", "tags", "stages", "images", "environments"] as const;
const hints = {
  branches: text.limitsHint,
  tags: text.tagsHint,
  stages: undefined,
  images: text.imagesHint,
  environments: text.environmentsHint,
} as const;

export function SecretFields({ secret, problems }: { secret?: Secret; problems: Record<string, string> }) {
  const { repositoriesHint } = useSecretOwner();
  const shown = kinds.filter((kind) => kind !== "repositories" || repositoriesHint !== undefined);
  const chosen = new Set<string>(secret?.events);
  return (
    <>
      {secret ? null : (
        <TextField
          name="name"
          label={text.name}
          hint={text.nameHint}
          required
          maxLength={100}
          autoComplete="off"
          spellCheck={false}
          problem={problems["name"]}
        />
      )}
      <TextArea
        name="value"
        label={text.value}
        hint={text.valueHint}
        required
        autoComplete="off"
        spellCheck={false}
        problem={problems["value"]}
      />
      {shown.map((kind) => (
        <TextField
          key={kind}
          name={kind}
          label={text[kind]}
          hint={kind === "repositories" ? repositoriesHint : hints[kind]}
          autoComplete="off"
          spellCheck={false}
          defaultValue={secret?.[kind].join(", ")}
          problem={problemOf(problems, kind)}
        />
      ))}
      <FieldGroup legend={text.events} problem={problemOf(problems, "events")}>
        <p>{text.eventsHint}</p>
        {pipelineEvents.map((event) => (
          <CheckField
            key={event}
            name={`event-${event}`}
            label={<code>{event}</code>}
            defaultChecked={chosen.has(event)}
          />
        ))}
      </FieldGroup>
    </>
  );
}

/** Of the list, or of one of its items. */
function problemOf(problems: Record<string, string>, field: string): string | undefined {
  return problems[field] ?? Object.entries(problems).find(([name]) => name.startsWith(`${field}.`))?.[1];
}

/** As a body of the API. */
export function secretOf(values: FormValues): Schemas["SecretPut"] {
  return {
    value: values["value"] ?? "",
    branches: listed(values["branches"]),
    tags: listed(values["tags"]),
    stages: listed(values["stages"]),
    images: listed(values["images"]),
    environments: listed(values["environments"]),
    repositories: listed(values["repositories"]),
    events: pipelineEvents.filter((event) => values[`event-${event}`] !== undefined),
  };
}

function listed(given: string | undefined): string[] {
  return (given ?? "")
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== "");
}

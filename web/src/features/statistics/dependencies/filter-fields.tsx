/** What of the graph is shown: which manifest, which ecosystem, what for, how deep. */
import { dependencyScopes } from "@forgeline/client/generated/choices.ts";
import { text } from "../../../text/dependencies.ts";
import { SelectField } from "../../../ui/field.tsx";
import type { Filters } from "./tree.ts";
import type { Dependencies } from "./use-dependencies.ts";
import type { FilterName } from "./use-filters.ts";

export interface FilterFieldsProps {
  graph: Dependencies;
  filters: Filters;
  choose: (name: FilterName, value: string) => void;
}

export function FilterFields({ graph, filters, choose }: FilterFieldsProps) {
  const { manifests, packages, indirect } = graph;
  const naming = new Set(packages.map(({ manifest }) => manifest));
  const files = manifests.flatMap(({ path }) => (naming.has(path) ? [path] : []));
  const ecosystems = [...new Set(packages.map(({ ecosystem }) => ecosystem))].sort();
  const used = dependencyScopes.filter((kind) => packages.some((one) => one.kind === kind));
  return (
    <>
      <SelectField
        label={text.show}
        value={filters.all ? "all" : ""}
        onChange={(event) => choose("show", event.target.value)}
      >
        <option value="">{text.onlyDirect}</option>
        <option value="all">{text.everything(indirect)}</option>
      </SelectField>
      <Choice
        {...{
          name: "manifest",
          label: text.manifest,
          any: text.anyManifest,
          value: filters.manifest,
          choose,
        }}
        options={files.map((path) => [path, path])}
      />
      {ecosystems.length > 1 || filters.ecosystem !== null ? (
        <Choice
          {...{ name: "ecosystem", label: text.ecosystem, any: text.anyEcosystem, choose }}
          value={filters.ecosystem}
          options={ecosystems.map((one) => [one, text.ecosystems[one]])}
        />
      ) : null}
      <Choice
        {...{ name: "kind", label: text.kind, any: text.anyKind, value: filters.kind, choose }}
        options={used.map((kind) => [kind, text.kinds[kind]])}
      />
    </>
  );
}

/** A value of the address that is no choice here stays one, so that it can be seen and taken away. */
function Choice(props: {
  name: FilterName;
  label: string;
  any: string;
  value: string | null;
  options: readonly (readonly [string, string])[];
  choose: FilterFieldsProps["choose"];
}) {
  const { name, label, any, value, options, choose } = props;
  const isKnown = value === null || options.some(([option]) => option === value);
  return (
    <SelectField label={label} value={value ?? ""} onChange={(event) => choose(name, event.target.value)}>
      <option value="">{any}</option>
      {[...options, ...(isKnown ? [] : [[value, value] as const])].map(([option, title]) => (
        <option key={option} value={option}>
          {title}
        </option>
      ))}
    </SelectField>
  );
}

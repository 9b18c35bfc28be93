/** The group of a runner, or of those that a token registers; nothing where there are no groups. */
import { useQuery } from "@tanstack/react-query";
import { api } from "../../api/client.ts";
import { text } from "../../text/runner-groups.ts";
import { SelectField } from "../../ui/field.tsx";
import type { RunnersOf } from "./use-runners.ts";

interface GroupSelectProps {
  of: RunnersOf;
  /** The id of the present one. */
  chosen?: string;
  problem?: string | undefined;
}

export function GroupSelect({ of, chosen = "", problem }: GroupSelectProps) {
  const isOfRepository = of !== null && "repo" in of;
  const { data: groups = [] } = useQuery({
    queryKey: ["runner-groups", of],
    // As many as an owner can have.
    queryFn: async () => (await fetchGroups(of, { per_page: 100 })).data ?? [],
    enabled: !isOfRepository,
  });
  if (groups.length === 0) return null;
  return (
    <SelectField name="group" label={text.ofRunner} defaultValue={chosen} problem={problem}>
      <option value="">{text.noGroup}</option>
      {groups.map(({ id, name }) => (
        <option key={id} value={id}>
          {name}
        </option>
      ))}
    </SelectField>
  );
}

function fetchGroups(of: RunnersOf, query: { per_page: number }) {
  return of !== null && "org" in of
    ? api.GET("/orgs/{org}/runner-groups", { params: { path: of, query } })
    : api.GET("/runner-groups", { params: { query } });
}

/** What a first commit can hold in addition: a `.gitignore` and a license, of those that the instance knows. */
import { useQuery } from "@tanstack/react-query";
import { useId, useState } from "react";
import { api } from "../../api/client.ts";
import { fetchAll } from "../../api/fetch-all.ts";
import { text } from "../../text/create.ts";
import { TextField } from "../../ui/field.tsx";

export function TemplateFields({ problems }: { problems: Record<string, string> }) {
  return (
    <>
      <NamedTemplate
        name="gitignore"
        label={text.gitignore}
        hint={text.gitignoreHint}
        problem={problems["gitignore"]}
        fetchPage={async (query) =>
          namesOf((await api.GET("/gitignore-templates", { params: { query } })).data, ({ name }) => name)
        }
      />
      <NamedTemplate
        name="license"
        label={text.license}
        hint={text.licenseHint}
        problem={problems["license"]}
        fetchPage={async (query) =>
          namesOf((await api.GET("/licenses", { params: { query } })).data, ({ id }) => id)
        }
      />
    </>
  );
}

interface NamedTemplateProps {
  name: string;
  label: string;
  hint: string;
  problem: string | undefined;
  fetchPage: (query: { page: number; per_page: number }) => Promise<{ data: string[] }>;
}

function namesOf<T>(rows: T[] | undefined, nameOf: (row: T) => string): { data: string[] } {
  return { data: (rows ?? []).map(nameOf) };
}

/** There are hundreds, so they are proposed while one types; the list is fetched when somebody comes here. */
function NamedTemplate({ fetchPage, ...field }: NamedTemplateProps) {
  const [isWanted, setWanted] = useState(false);
  const listId = useId();
  const names = useQuery({
    queryKey: ["templates", field.name],
    enabled: isWanted,
    staleTime: Infinity,
    queryFn: () => fetchAll(fetchPage),
  });
  return (
    <>
      <TextField
        {...field}
        list={listId}
        maxLength={100}
        autoComplete="off"
        spellCheck={false}
        onFocus={() => setWanted(true)}
      />
      <datalist id={listId}>
        {names.data?.map((name) => (
          <option key={name}>{name}</option>
        ))}
      </datalist>
    </>
  );
}

/** What a first commit holds besides: a `.gitignore` and a license, of those that the instance knows. */
import { useQuery } from "@tanstack/react-query";
import { useId, useState } from "react";
import { api } from "../../api/client.ts";
import { text } from "../../text/create.ts";
import { TextField } from "../../ui/field.tsx";

const perPage = 100;

export function TemplateFields({ problems }: { problems: Record<string, string> }) {
  return (
    <>
      <NamedTemplate
        name="gitignore"
        label={text.gitignore}
        hint={text.gitignoreHint}
        problem={problems["gitignore"]}
        fetchPage={async (query) =>
          (await api.GET("/gitignore-templates", { params: { query } })).data?.map(({ name }) => name)
        }
      />
      <NamedTemplate
        name="license"
        label={text.license}
        hint={text.licenseHint}
        problem={problems["license"]}
        fetchPage={async (query) =>
          (await api.GET("/licenses", { params: { query } })).data?.map(({ id }) => id)
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
  fetchPage: (query: { page: number; per_page: number }) => Promise<string[] | undefined>;
}

/** There are hundreds, so they are proposed while one types; the list is fetched when somebody comes here. */
function NamedTemplate({ fetchPage, ...field }: NamedTemplateProps) {
  const [isWanted, setWanted] = useState(false);
  const listId = useId();
  const names = useQuery({
    queryKey: ["templates", field.name],
    enabled: isWanted,
    staleTime: Infinity,
    queryFn: async () => {
      const all: string[] = [];
      for (let page = 1, last = perPage; last === perPage; page++) {
        const some = (await fetchPage({ page, per_page: perPage })) ?? [];
        all.push(...some);
        last = some.length;
      }
      return all;
    },
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

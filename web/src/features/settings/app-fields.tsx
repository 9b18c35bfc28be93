/** What an OAuth app is called and where it leads; asked when it is made and when it is changed. */
import type { Schemas } from "@forgeline/client/schemas.ts";
import { apps as words } from "../../text/settings.ts";
import { TextArea, TextField } from "../../ui/field.tsx";
import type { FormValues } from "../../ui/form.tsx";
import { linesOf } from "./scope-fields.tsx";

export function AppFields({
  app,
  problems,
}: {
  app?: Schemas["OAuthApp"];
  problems: Record<string, string>;
}) {
  const redirectProblem = Object.entries(problems).find(([field]) => field.startsWith("redirect_uris"))?.[1];
  return (
    <>
      <TextField
        name="name"
        label={words.name}
        problem={problems["name"]}
        defaultValue={app?.name}
        maxLength={100}
        required
        autoFocus
      />
      <TextField
        name="homepage"
        type="url"
        label={words.homepage}
        hint={words.homepageHint}
        problem={problems["homepage_url"]}
        defaultValue={app?.homepage_url ?? ""}
      />
      <TextArea
        name="redirects"
        label={words.redirects}
        hint={words.redirectsHint}
        problem={redirectProblem}
        defaultValue={app?.redirect_uris.join("\n")}
        rows={3}
        spellCheck={false}
        required
      />
    </>
  );
}

export function appOf(values: FormValues) {
  const homepage = (values["homepage"] ?? "").trim();
  return {
    name: (values["name"] ?? "").trim(),
    homepage_url: homepage === "" ? null : homepage,
    redirect_uris: linesOf(values["redirects"]) ?? [],
  };
}

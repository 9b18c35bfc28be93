/** The file that introduces a directory, below its entries. */
import { BookOpen } from "lucide-react";
import { Link } from "react-router";
import type { Schemas } from "@forgeline/client/schemas.ts";
import { $api } from "../../api/client.ts";
import { ProblemNotice } from "../../ui/notice.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { fileAddress } from "../repositories/addresses.ts";
import { useRepository, useRepositoryPath } from "../repositories/use-repository.ts";
import { isMarkdownName, textOf } from "./file-content.ts";
import { MarkdownText } from "../markdown/markdown-text.tsx";
import styles from "./readme.module.css";

/** More than this nobody reads on the way to somewhere else; the file's own page has all of it. */
const maxReadmeBytes = 512 * 1024;

export function Readme({ entry, gitRef }: { entry: Schemas["ContentsEntry"]; gitRef: string }) {
  const repository = useRepository();
  return (
    <section className={styles.readme} aria-labelledby="readme-name">
      <h2 id="readme-name" className={styles.head}>
        <BookOpen size={16} aria-hidden />
        <Link to={fileAddress(repository, "blob", { ref: gitRef, path: entry.path })}>{entry.name}</Link>
      </h2>
      {entry.size > maxReadmeBytes ? null : (
        <div className={styles.body}>
          <ReadmeText entry={entry} gitRef={gitRef} />
        </div>
      )}
    </section>
  );
}

function ReadmeText({ entry, gitRef }: { entry: Schemas["ContentsEntry"]; gitRef: string }) {
  const repository = useRepository();
  const path = { ...useRepositoryPath(), path: entry.path };
  const file = $api.useQuery("get", "/repos/{owner}/{repo}/contents/{path}", {
    params: { path, query: { ref: gitRef } },
  });
  if (file.error) return <ProblemNotice error={file.error} />;
  if (!file.data) return <Skeleton lines={6} />;
  const content = Array.isArray(file.data) ? undefined : textOf(file.data);
  if (content === undefined) return null;
  if (!isMarkdownName(entry.name)) return <pre className={styles.plain}>{content.text}</pre>;
  const directory = entry.path.split("/").slice(0, -1).join("/");
  return <MarkdownText source={content.text} place={{ repository, ref: gitRef, directory }} />;
}

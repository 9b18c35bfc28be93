/** Files that are being uploaded for a text, one after the other. */
import { useRef, useState } from "react";
import { problemOf } from "../../api/problem.ts";
import { uploadFile, type UploadPlace } from "../../api/upload-file.ts";
import type { MarkdownPlace } from "./targets.ts";

export interface Upload {
  key: number;
  name: string;
  percent: number;
  /** Why it has failed. */
  problem?: string;
}

export interface Uploads {
  list: readonly Upload[];
  /** `onDone` gets the Markdown of each that is there. */
  add: (files: readonly File[], onDone: (markdown: string) => void) => void;
  dismiss: (key: number) => void;
}

/** Undefined where nothing can be uploaded. */
export function uploadPlaceOf({ repository, team }: MarkdownPlace): UploadPlace | undefined {
  if (team !== undefined) return { team };
  return repository && { repo: repository.full_name };
}

export function useUploads(place: UploadPlace | undefined): Uploads {
  const [list, setList] = useState<readonly Upload[]>([]);
  const last = useRef({ key: 0, work: Promise.resolve() });
  const change = (key: number, values: Partial<Upload>) =>
    setList((now) => now.map((each) => (each.key === key ? { ...each, ...values } : each)));
  const dismiss = (key: number) => setList((now) => now.filter((each) => each.key !== key));

  async function upload(file: File, key: number, onDone: (markdown: string) => void): Promise<void> {
    if (!place) return;
    try {
      const { markdown } = await uploadFile(place, file, (percent) => change(key, { percent }));
      dismiss(key);
      onDone(markdown);
    } catch (error) {
      change(key, { problem: problemOf(error).message });
    }
  }

  return {
    list,
    dismiss,
    add(files, onDone) {
      for (const file of files) {
        const key = (last.current.key += 1);
        setList((now) => [...now, { key, name: file.name, percent: 0 }]);
        last.current.work = last.current.work.then(() => upload(file, key, onDone));
      }
    },
  };
}

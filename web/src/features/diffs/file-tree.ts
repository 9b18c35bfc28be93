/** Changed files as the directories they are in; a directory that holds nothing but another one is shown with it. */
export interface FileNode<T> {
  kind: "file";
  name: string;
  file: T;
}

export interface DirectoryNode<T> {
  kind: "directory";
  /** With those of the directories it is shown with: `src/main`. */
  name: string;
  path: string;
  nodes: TreeNode<T>[];
}

export type TreeNode<T> = FileNode<T> | DirectoryNode<T>;

export function fileTree<T extends { path: string }>(files: readonly T[]): TreeNode<T>[] {
  const root: DirectoryNode<T> = { kind: "directory", name: "", path: "", nodes: [] };
  const directories = new Map([["", root]]);
  const directoryAt = (path: string): DirectoryNode<T> => {
    const found = directories.get(path);
    if (found) return found;
    const cut = path.lastIndexOf("/");
    const made: DirectoryNode<T> = { kind: "directory", name: path.slice(cut + 1), path, nodes: [] };
    directories.set(path, made);
    directoryAt(path.slice(0, Math.max(cut, 0))).nodes.push(made);
    return made;
  };
  for (const file of files) {
    const cut = file.path.lastIndexOf("/");
    const directory = directoryAt(file.path.slice(0, Math.max(cut, 0)));
    directory.nodes.push({ kind: "file", name: file.path.slice(cut + 1), file });
  }
  return root.nodes.map(joined);
}

function joined<T>(node: TreeNode<T>): TreeNode<T> {
  if (node.kind === "file") return node;
  const [only] = node.nodes;
  if (node.nodes.length === 1 && only?.kind === "directory")
    return joined({ ...only, name: `${node.name}/${only.name}` });
  return { ...node, nodes: node.nodes.map(joined) };
}

/** Files whose path, now or before, contains the words. */
export function filesNamed<T extends { path: string; previous_path: string | null }>(
  files: readonly T[],
  words: string,
): readonly T[] {
  const wanted = words.trim().toLowerCase();
  if (wanted === "") return files;
  return files.filter(({ path, previous_path: previous }) =>
    [path, previous ?? ""].some((name) => name.toLowerCase().includes(wanted)),
  );
}

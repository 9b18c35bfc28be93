"""clone URL DIR | commit DIR FILE TEXT | push DIR REFSPEC | fetch DIR: as a program that uses dulwich does it."""
import io
import sys
from dulwich import porcelain
from dulwich.repo import Repo

verb, directory, *rest = sys.argv[1:]
said = io.BytesIO()
if verb == "clone":
    porcelain.clone(directory, rest[0], errstream=said)
elif verb == "commit":
    name, text = rest
    with open(f"{directory}/{name}", "w") as file:
        file.write(text)
    porcelain.add(directory, [f"{directory}/{name}"])
    person = b"Ada <ada@example.org>"
    print(porcelain.commit(directory, message=b"by dulwich", author=person, committer=person).decode())
elif verb == "push":
    porcelain.push(directory, "origin", rest[0], errstream=said)
elif verb == "fetch":
    porcelain.fetch(directory, "origin", errstream=said)
    print(Repo(directory).refs[b"refs/remotes/origin/main"].decode())
print(said.getvalue().decode(errors="replace"), file=sys.stderr)
sys.exit(1 if b"failed" in said.getvalue() else 0)

# The same in Python; with `force` he makes the server take what he has.
import os
import subprocess
import sys
import verisoft as vs

name, force = sys.argv[1], "force" in sys.argv
shared, mine = ("%s/%s" % (os.environ["VERISOFT_FOLDER"], x) for x in ("shared.git", name))


def git(*words):
    command = ["git", "-c", "user.name=" + name, "-c", "user.email=x", "-C", mine] + list(words)
    return subprocess.run(command, capture_output=True).returncode == 0


vs.step("clone")
subprocess.run(["git", "clone", "-q", shared, mine], check=True)
with open(mine + "/" + name, "w") as f:
    f.write(name)
git("add", ".")
git("commit", "-q", "-m", name)
vs.step("push")
while not git("push", "-q", *(["--force"] if force else []), "origin", "HEAD:main"):
    vs.answer("refused")
    vs.step("pull")
    git("pull", "-q", "--rebase", "origin", "main")
    vs.step("push")
vs.answer("pushed")

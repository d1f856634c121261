# A repository with one commit.
cd "$VERISOFT_KEEP" && git init -q --bare shared.git && git -C shared.git symbolic-ref HEAD refs/heads/main &&
git init -q first && cd first && git -c user.name=x -c user.email=x commit -q --allow-empty -m first &&
git push -q "$VERISOFT_KEEP/shared.git" HEAD:main

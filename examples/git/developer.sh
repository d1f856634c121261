# Adds a file of her own to the shared repository; when the push is refused, she takes over what is there and tries again.
mine=$VERISOFT_FOLDER/$1 name=$1
mygit() { git -c user.name="$name" -c user.email=x -C "$mine" "$@" 2> /dev/null; }
vs step clone
git clone -q "$VERISOFT_FOLDER/shared.git" "$mine" 2> /dev/null
echo "$name" > "$mine/$name"
mygit add . && mygit commit -q -m "$name"
vs step push
until mygit push -q origin HEAD:main; do
    vs answer refused
    vs step pull
    mygit pull -q --rebase origin main
    vs step push
done
vs answer pushed

"""Type lines into an interactive shell, press Tab, and print what stands there.

    type.py bash|zsh SCRIPT

SCRIPT is the completion of that shell; the lines come from standard input, the
outcome of each goes to standard output.  The shell runs on a terminal of its
own, as for a person: what cuts words and inserts blanks is the shell itself.
"""

import os
import pty
import select
import sys
import time

PROMPT = "READY> "
SETUP = {
    # A key that prints the line as it stands, and one that empties it.
    "bash": [
        "bind 'set enable-bracketed-paste off'",
        "shown() { printf '<<%s>>\\n' \"$READLINE_LINE\"; }",
        "bind -x '\"\\C-xp\": shown'",
        "bind '\"\\C-xk\": kill-whole-line'",
        ". \"$SCRIPT\"",
    ],
    "zsh": [
        "unsetopt zle_bracketed_paste promptsp; autoload -Uz compinit",
        "fpath=(${SCRIPT:h} $fpath); compinit -D -u",
        "shown() { zle -I; print -r -- \"<<$BUFFER>>\"; }; zle -N shown; bindkey '^Xp' shown",
        "bindkey '^Xk' kill-whole-line",
    ],
}
COMMAND = {"bash": ["bash", "--norc", "--noprofile", "-i"], "zsh": ["zsh", "-f", "-i"]}


class Shell:
    def __init__(self, name, script):
        environment = dict(os.environ, SCRIPT=script, PS1=PROMPT, TERM="dumb", INPUTRC="/dev/null")
        self.process, self.terminal = pty.fork()
        if self.process == 0:
            os.execvpe(COMMAND[name][0], COMMAND[name], environment)
        self.wait(PROMPT)
        for line in SETUP[name]:
            self.send(line + "\n")
            self.wait(PROMPT)

    def send(self, text):
        os.write(self.terminal, text.encode())

    def wait(self, mark, seconds=20):
        """What comes up to and with the mark."""
        text, end = "", time.monotonic() + seconds
        while mark not in text:
            left = end - time.monotonic()
            if left <= 0 or not select.select([self.terminal], [], [], left)[0]:
                raise SystemExit("type.py: nothing after: " + repr(text))
            text += os.read(self.terminal, 65536).decode(errors="replace")
        return text

    def complete(self, line):
        self.send(line + "\t\x18p")
        text = self.wait(">>")
        self.send("\x18k")
        return text[text.rindex("<<") + 2 : text.rindex(">>")].replace("\r", "").replace("\n", "")


def main():
    shell = Shell(sys.argv[1], sys.argv[2])
    for line in sys.stdin:
        print(shell.complete(line.rstrip("\n")))
    shell.send("\x18kexit\n")


main()

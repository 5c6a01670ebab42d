# Completion of replan, repland and replan-sim for bash; for zsh, _replan beside this file reads it.
#     . tools/completion/replan.bash           # or installed: share/bash-completion/completions/replan
# The words are those of --help, so they are those of the programs that are run.

# Options of a help text on stdin: those of its usage, and those that lines begin with.
_replan_options() {
  sed -n -e '/^usage:/p' -e '/^       replan/p' -e '/^  -/{s/^  //;s/   *.*//;p;}' | grep -oE -- '--[a-z][a-z-]*' | sort -u
}

# Commands and actions of a help text on stdin: lines of two blanks and a name.
_replan_commands() { sed -n 's/^  \([a-z][a-z-]*\) .*/\1/p'; }

# Names of worlds, or with a world of its agents; none when no daemon answers at once.
_replan_names() {
  if [ "$#" = 1 ]; then
    timeout 1 "$1" ctl worlds --json 2>/dev/null | sed -n 's/.*"world":"\([^"]*\)".*/\1/p'
  else
    timeout 1 "$1" ctl agents "$2" --json 2>/dev/null | sed -n 's/.*"agent":"\([^"]*\)".*/\1/p'
  fi
}

# What an option takes. Returns 1 when that is anything, or it takes nothing.
_replan_values() {
  case $2 in
  --map | --scen | --out | --output | --report | --record | --replay | --config | --log-file | --mcap | --picture | --carmen) echo FILES ;;
  --state) case $1 in */replan-sim | replan-sim) return 1 ;; *) echo FILES ;; esac ;;
  --planner) case $1 in *replan) "$1" planners ;; *) replan planners ;; esac 2>/dev/null | cut -d' ' -f1 ;;
  --scenario) "$1" --list 2>/dev/null | cut -d' ' -f1 ;;
  --world) _replan_names replan ;;
  --profile) printf 'factor\ncostmap\n' ;;
  --neighbors) printf '4\n8\n' ;;
  --wait) printf 'applied\ndurable\nsettled\n' ;;
  --open) printf 'heap\nbuckets\n' ;;
  --log) printf 'error\nwarn\ninfo\ndebug\n' ;;
  --durability) printf 'process\ndisk\n' ;;
  --pages) printf 'small\nhuge\n' ;;
  -c | --control | --changes | --paths | --poses) echo tcp://127.0.0.1: ;;
  *) return 1 ;;
  esac
}

# What may follow these words: the program, those behind it, and last the one to be completed. A line
# each; FILES: names of files.
_replan_words() {
  local program=$1 last= before= command= action= world= count=0 word
  for word in "$@"; do
    before=$last last=$word
  done
  if [ "$#" -gt 2 ] && _replan_values "$program" "$before"; then
    return
  fi
  case $program in *replan) ;; *)
    "$program" --help 2>/dev/null | _replan_options
    return
    ;;
  esac
  shift
  while [ "$#" -gt 1 ]; do # all but the last
    case $1 in
    -c) shift ;;
    -*) _replan_values "$program" "$1" >/dev/null && shift ;;
    *)
      if [ -z "$command" ]; then command=$1
      elif [ -z "$action" ]; then action=$1
      else count=$((count + 1)); fi
      world=$1
      ;;
    esac
    [ "$#" -gt 1 ] && shift
  done
  if [ -z "$command" ]; then
    "$program" --help 2>/dev/null | _replan_commands
    printf '%s\n' --help --version
    return
  fi
  case $command,$last in
  ctl,-*) "$program" ctl ${action:+"$action"} --help 2>/dev/null | _replan_options ;;
  *,-*) "$program" "$command" --help 2>/dev/null | _replan_options ;;
  ctl,* | state,*)
    if [ -z "$action" ]; then "$program" "$command" --help 2>/dev/null | _replan_commands
    elif [ "$command" = state ]; then echo FILES
    elif [ "$count" = 0 ]; then _replan_names "$program"
    elif [ "$count" = 1 ]; then _replan_names "$program" "$world"; fi
    ;;
  watch,* | view,* | record,*)
    if [ -z "$action" ]; then _replan_names "$program"; else _replan_names "$program" "$action"; fi
    ;;
  map,* | run,* | replay-costmap,*) echo FILES ;;
  esac
}

# bash takes a colon for the end of a word, as in tcp://.
_replan() {
  local words cur=${COMP_WORDS[COMP_CWORD]}
  words=$(_replan_words "${COMP_WORDS[@]:0:COMP_CWORD+1}")
  if [ "$words" = FILES ]; then
    mapfile -t COMPREPLY < <(compgen -f -- "$cur")
  else
    mapfile -t COMPREPLY < <(compgen -W "$words" -- "$cur")
  fi
}

if [ -n "${BASH_VERSION:-}" ]; then
  complete -o filenames -F _replan replan repland replan-sim
fi

# A real Slurm of two nodes on this machine, for a test. SPDX-License-Identifier: MIT
PATH=$PATH:/usr/sbin:/sbin

# Starts it; says why and fails where it cannot be.
slurm_start() {
    for command in slurmctld slurmd sbatch; do
        command -v $command > /dev/null || { echo "Slurm is not installed (apt-get install --no-install-recommends slurm-wlm)"; return 1; }
    done
    "$project/farm/slurm-here" start "$folder/slurm" 2 > set 2> why || { cat why; echo "no Slurm can be started here"; return 1; }
    trap slurm_stop EXIT
    . ./set
}
slurm_stop() {
    "$project/farm/slurm-here" stop "$folder/slurm"
    trap - EXIT
}

# A job that has ended may still be COMPLETING: that is Slurm's own work, and takes it a moment.
no_jobs() {                          # WHEN
    for i in $(seq 600); do [ "$(squeue -h)" ] || break; sleep 0.1; done
    is "jobs left $1" "" "$(squeue -h)"
}

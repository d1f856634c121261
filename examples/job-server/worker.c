/* SPDX-License-Identifier: MIT */
#include "worker.h"
#include "job.h"

static int serve(struct channel *c, const struct frame *request)
{
    struct job job;
    struct result result;
    struct frame answer;
    int error = job_from_frame(request, &job);
    if (error)
        return error;
    job_execute(&job, &result);
    result_to_frame(&result, request->job, &answer);
    return channel_send(c, &answer);
}

int worker_run(struct channel *c, unsigned limit)
{
    struct frame request;
    for (unsigned done = 0; limit == 0 || done < limit; done++) {
        int found = channel_receive(c, &request);
        if (found == 0 || (found > 0 && request.kind == FRAME_STOP))
            return WORKER_WELL;
        if (found < 0 || serve(c, &request) < 0)
            return WORKER_LOST;
    }
    return WORKER_WELL;
}
